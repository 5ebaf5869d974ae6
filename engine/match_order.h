#pragma once
#include "engine/plan.h"

/// How two matches lie to each other, proved from their texts alone. Both functions may say false
/// where the truth is true (patterns have more relations than are looked for), never true where it
/// is false. Pure; safe from any thread.
/// Definition: policy-language "Matching", small print C2, C4, C10, C20, C28.
namespace engine {

/// Whatever `narrower` matches, `wider` matches too.
///
/// Example: {path: "/api/**"} covers {path: "/api/users/*", method: GET}; {method: [GET, HEAD]}
/// covers {method: GET}; the empty match covers every match. Texts are in normal form, as a policy
/// has them.
bool covers(const Match& wider, const Match& narrower);

/// No request matches both. Example: {plan: free} excludes {plan: [pro, team]}, {api_key: absent}
/// excludes {api_key: "k*"}, {path: "/api/**"} excludes {path: "/export/*"}.
bool excludes(const Match& one, const Match& other);

} // namespace engine
