#pragma once
#include "engine/plan.h"

#include <optional>

/// How two matches lie to each other, proved from their texts alone. Both relations may be said to
/// be false where they are true (patterns have more relations than are looked for), never true
/// where they are false. Pure; safe from any thread. Definition: policy-language "Matching", small
/// print C2, C4, C10, C20, C28.
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

/// Exactly the requests that both match. Of two entries about one attribute the one that lists
/// values lists only those that the other one leaves, as far as that is found, so that covers() and
/// excludes() prove more of it. Nothing: no request matches both.
///
/// Example: {method: [GET, POST]} and {method: [POST, PUT]} give {method: POST}, by two entries.
std::optional<Match> both(const Match& one, const Match& other);

} // namespace engine
