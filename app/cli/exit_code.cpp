#include "app/cli/exit_code.h"

#include <array>
#include <string_view>

namespace app::cli {

ExitCode exitCodeOf(const engine::Diagnostic& diagnostic)
{
    struct Area {
        std::string_view prefix;
        ExitCode code;
    };

    constexpr std::array kAreas {
        Area {"log.format", ExitCode::Usage},
        Area {"log.map", ExitCode::Usage},
        Area {"log.zone", ExitCode::Usage},
        Area {"logs.no-match", ExitCode::LogUnreadable},
        Area {"logs.", ExitCode::Usage},
        Area {"log.", ExitCode::LogUnreadable},
        Area {"sort.", ExitCode::LogUnreadable},
        Area {"recording.", ExitCode::LogUnreadable},
        Area {"period.", ExitCode::Usage},
        Area {"explain.differs", ExitCode::LogUnreadable},
        Area {"run.interrupted", ExitCode::Interrupted},
        Area {"store.", ExitCode::StoreUnusable},
        Area {"policy.", ExitCode::PolicyInvalid},
    };
    for (const Area& area : kAreas) {
        if (diagnostic.code.starts_with(area.prefix)) {
            return area.code;
        }
    }
    return ExitCode::Usage;
}

} // namespace app::cli
