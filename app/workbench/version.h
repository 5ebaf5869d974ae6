#pragma once
#include <string_view>

namespace app {

inline constexpr std::string_view kVersion = "0.1.0"; ///< as CMakeLists.txt says; a test compares
inline constexpr int kPolicyLanguage = 1; ///< the `weir: 1` of a policy

} // namespace app
