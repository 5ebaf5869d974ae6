#include "engine/clients/backoff.h"

#include <algorithm>
#include <cmath>

namespace engine::backoff {

double grown(const Growth& growth, int retry)
{
    return std::min(growth.capMs, growth.baseMs * std::pow(growth.factor, retry - 1));
}

double awsFull(const Growth& growth, int n, double draw)
{
    return draw * grown(growth, n + 1);
}

double awsEqual(const Growth& growth, int n, double draw)
{
    const double half = grown(growth, n + 1) / 2;
    return half + draw * half;
}

double awsDecorrelated(const Growth& growth, double previousMs, double draw)
{
    return std::min(growth.capMs, growth.baseMs + draw * (3 * previousMs - growth.baseMs));
}

double botocoreStandard(int retry, double draw, const Growth& growth)
{
    return draw * grown(growth, retry);
}

double grpcFullJitter(const Growth& growth, int retry, double draw)
{
    return draw * grown(growth, retry);
}

double grpc(const Growth& growth, int retry, double draw)
{
    return grown(growth, retry) * (0.8 + 0.4 * draw);
}

double urllib3(const Growth& growth, int retry)
{
    return retry == 1 ? 0 : grown(growth, retry);
}

double stripePython(int retry, double draw, const Growth& growth)
{
    return std::max(growth.baseMs, grown(growth, retry) * 0.5 * (1 + draw));
}

double axiosRetry(double factorMs, int retry, double draw)
{
    return factorMs * std::pow(2, retry) * (1 + 0.2 * draw);
}

double pollyDecorrelated(double baseMs, int retry, double draw, double& previous)
{
    const double t = retry - 1 + draw;
    const double next = std::pow(2, t) * std::tanh(std::sqrt(4 * t));
    const double step = next - previous;
    previous = next;
    return step / 1.4 * baseMs;
}

double envoy(const Growth& growth, int retry, double draw)
{
    const double most = (std::pow(2, retry) - 1) * growth.baseMs;
    return std::min(std::floor(draw * most), growth.capMs);
}

} // namespace engine::backoff
