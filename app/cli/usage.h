#pragma once
#include "engine/result.h"

#include <string>
#include <utility>

namespace app::cli {

/// A mistake on the command line: code cli.usage.
inline engine::Failure usage(std::string message, std::string help = {})
{
    return engine::fail("cli.usage", std::move(message), std::move(help));
}

} // namespace app::cli
