#pragma once
#include "app/workbench/lab.h"
#include "app/workbench/pass.h"
#include "engine/plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace app {

/// What a recording has for the lab: the requests of the key that sends most to a rule.
struct BusiestKey {
    std::vector<std::string> key; ///< values in the order of the rule's key, as they may be shown
    std::uint64_t requests = 0; ///< of this key; the first kLabMost of them are in `traffic`
    std::uint64_t keys = 0; ///< of the rule, in this recording
    LabTraffic traffic; ///< begins with the first of them
};

/// Reads the logs, twice: who sends most (of equal ones the first), and when. Requests count where
/// the rule applies, whatever other rules would say; nothing is decided or stored.
///
/// `plan` and `rule`: whose attributes, exemptions and matches hold. `options`: `decides` is not
/// looked at. Errors: lab.no-requests (the rule applies to none), lab.stream (standard input can be
/// read once only), those of runWholePass().
engine::Result<BusiestKey> busiestKey(const engine::Plan& plan, std::size_t rule,
                                      PassOptions options);

} // namespace app
