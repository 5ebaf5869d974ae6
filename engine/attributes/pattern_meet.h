#pragma once
#include <string_view>

namespace engine::attributes {

/// Is there a text that both match? False is proved; true may be said where nobody looked: of
/// patterns whose lengths multiply to more than 4,096, and of `?` beside letters beyond ASCII.
///
/// Example: "kube-probe/*" and "*-bot*" meet in "kube-probe/-bot", "kube-*" and "curl/*" nowhere.
/// Definition: text_glob.h. Pure; safe from any thread.
bool globsMeet(std::string_view one, std::string_view other);

/// The same of two path patterns, up to 4,096 pairs of segments. Example: "/api/**" and "/*/users"
/// meet in "/api/users"; "/api/**" and "/export/**" nowhere.
/// Definition: segment_pattern.h.
bool pathsMeet(std::string_view one, std::string_view other);

} // namespace engine::attributes
