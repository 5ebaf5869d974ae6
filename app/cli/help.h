#pragma once
#include "app/cli/verbs.h"

#include <string>

namespace app::cli {

/// `weir help`: the verbs by group.
std::string helpOfAll();

/// `weir VERB --help`: form, details, options, an example. From the tables alone.
std::string helpOfVerb(const VerbInfo& info);

} // namespace app::cli
