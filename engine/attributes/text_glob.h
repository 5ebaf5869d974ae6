#pragma once
#include <string_view>

namespace engine::attributes {

/// Does the text match? `*` is any run, also none; `?` is one code point (a byte that is no valid
/// UTF-8 is one). "kube-probe/*" matches "kube-probe/1.29". At most pattern * text steps.
bool globMatches(std::string_view pattern, std::string_view text);

/// Length of the code point at the start of a text that is not empty; 1 where it is not UTF-8.
std::size_t codePointLength(std::string_view text);

} // namespace engine::attributes
