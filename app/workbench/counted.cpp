#include "app/workbench/counted.h"

#include "app/workbench/figures_text.h"

#include <fmt/format.h>

namespace app {

std::string counted(std::uint64_t number, std::string_view one, std::string_view many)
{
    return fmt::format("{} {}", grouped(number), number == 1 ? one : many);
}

} // namespace app
