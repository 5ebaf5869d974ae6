#pragma once

/// A client that keeps requests to itself while few of them are accepted.
namespace engine::throttle {

/// Google's adaptive throttling: the probability with which the next request is rejected locally,
/// max(0, (requests - k * accepts) / (requests + 1)), over what was asked for and accepted in the
/// last two minutes; requests rejected locally count as asked for. k = 2 wastes at most about one
/// rejected request for each accepted one.
///
/// Example: 10 requests, 4 accepted, k = 2: 2 / 11 = 0.18.
/// Source: notes-adaptive.md section 4.
double rejectProbability(double requests, double accepts, double k = 2);

} // namespace engine::throttle
