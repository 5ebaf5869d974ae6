#pragma once

/// How long widespread clients wait before they come again, each as a pure function of how many
/// retries there were and of one draw. They decide nothing in a replay, which has waits of its own
/// (clients.h): they are for those who compare, or build a profile from a client that is in use.
///
/// Waits are milliseconds. `retry` counts retries from 1. `draw` is in 0 .. 1, without 1.
///
/// Example: aws full jitter, 5 ms .. 2 s, draw 0.5: 5, 10, 20, 40, 80 ms.
/// Source: notes-clients-and-nodes.md section 5, which names each client's own source.
namespace engine::backoff {

/// A wait that grows from retry to retry: base, base * factor, base * factor^2, up to cap.
struct Growth {
    double baseMs = 0;
    double capMs = 0;
    double factor = 2;
};

/// The wait before jitter: min(cap, base * factor^(retry - 1)).
/// Example: {100, 1000, 2}: 100, 200, 400, 800, 1000 ms.
double grown(const Growth& growth, int retry);

/// AWS: draw * min(cap, base * 2^n), where its simulator begins with n = 1.
/// Example: {5, 2000}, n = 1, draw 0.25: 2.5 ms.
double awsFull(const Growth& growth, int n, double draw);
/// AWS: half of it, and up to the other half. Example: {5, 2000}, n = 1, draw 0.25: 6.25 ms.
double awsEqual(const Growth& growth, int n, double draw);
/// AWS: min(cap, base + draw * (3 * previous - base)); before the first, previous is base.
/// Example: {5, 2000}, previous 5, draw 0.25: 7.5 ms; then 9.375 ms.
double awsDecorrelated(const Growth& growth, double previousMs, double draw);

/// botocore, retry mode standard: draw * min(1 s * 2^(retry - 1), 20 s).
double botocoreStandard(int retry, double draw, const Growth& growth = {1000, 20000, 2});

/// gRPC A6 as first published: draw * min(initial * multiplier^(retry - 1), maximum).
double grpcFullJitter(const Growth& growth, int retry, double draw);
/// gRPC A6 since: 0.8 to 1.2 times that. Example: {100, 1000, 2}, retry 1, draw 0: 80 ms.
double grpc(const Growth& growth, int retry, double draw);

/// urllib3: nothing before the first retry, then factor * 2^(retry - 1), at most 120 s; no draw.
/// Example: {500, 120000}: 0, 1000, 2000 ms.
double urllib3(const Growth& growth, int retry);

/// stripe-python: min(0.5 s * 2^(retry - 1), 5 s) times 0.5 to 1, at least 0.5 s.
/// Example: retry 2, draw 0.25: 625 ms.
double stripePython(int retry, double draw, const Growth& growth = {500, 5000, 2});

/// axios-retry, exponentialDelay: factor * 2^retry, and up to 20 % more.
/// Example: factor 100, retry 1, draw 0.5: 220 ms.
double axiosRetry(double factorMs, int retry, double draw);

/// Polly 8, exponential with jitter: with t = retry - 1 + draw, the step of 2^t * tanh(sqrt(4 * t))
/// since the retry before, in units of base / 1.4. `previous` is kept from retry to retry, 0 first.
/// Example: base 1000, draw 0: 0, 1377.18, 1460.07 ms.
double pollyDecorrelated(double baseMs, int retry, double draw, double& previous);

/// Envoy: draw * (2^retry - 1) * base in whole ms, at most cap. Example: {25, 250}, retry 2,
/// draw 0.5: 37 ms.
double envoy(const Growth& growth, int retry, double draw);

} // namespace engine::backoff
