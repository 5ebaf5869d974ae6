#pragma once
#include "policies/advice/survey.h"

/// What rules by windows let through within one of their periods.
namespace policies::advice {

/// The most requests that a part of a rule by fixed_window or sliding_window_counter admits within
/// one period, or the most cost where that differs from one request to the next. 0 for a part that
/// bounds nothing, since a request costs 0.
///
/// Example: fixed_window 10/min with a cost of 2 is 10.
std::int64_t mostInPeriod(const Survey& survey, const SurveyedRule& rule, const Part& part);

/// That is more than one window takes.
bool exceedsWindow(const Survey& survey, const SurveyedRule& rule, const Part& part);

} // namespace policies::advice
