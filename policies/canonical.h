#pragma once
#include "engine/result.h"
#include "policies/policy.h"

#include <string>
#include <string_view>

namespace policies {

/// The canonical text of a policy: fixed order of fields, normalised values, defaults left out,
/// every comment kept, LF line ends, and a first line that names fingerprint and version in place
/// of an older such line. `120/120s` becomes `120/2min`, `mode: enforce` goes.
///
/// canonical() of what read() gives for canonical text is the same text. The result was read again
/// and compared with the policy before it is returned; errors: policy.canonical (it did not say the
/// same: a bug, and nothing is lost by it).
/// `fingerprint` is that of the compiled plan, see fingerprint.h. Pure; safe from any thread.
engine::Result<std::string> canonical(const Policy& policy, std::string_view fingerprint,
                                      std::string_view version);

} // namespace policies
