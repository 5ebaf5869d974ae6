#pragma once
#include "tests/support/model/limiter.h"

namespace tests::model {

/// concurrency, adaptive_concurrency, and a load_shedder of one class.
std::unique_ptr<Limiter> makeSlotLimiter(const engine::Limit& limit);

} // namespace tests::model
