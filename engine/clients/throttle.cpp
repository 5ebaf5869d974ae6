#include "engine/clients/throttle.h"

#include <algorithm>

namespace engine::throttle {

double rejectProbability(double requests, double accepts, double k)
{
    return std::max(0.0, (requests - k * accepts) / (requests + 1));
}

} // namespace engine::throttle
