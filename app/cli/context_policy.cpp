#include "app/cli/context.h"
#include "app/cli/process.h"

#include <utility>

namespace app::cli {

PolicyOptions Context::policyOptions() const
{
    return {args.text(OptionId::LookupDir),
            {args.all(OptionId::Set), args.all(OptionId::Mode)},
            &interrupted()};
}

Context::Loaded Context::load(const std::string& file)
{
    engine::Result<LoadedPolicy> loaded = loadPolicy(file, policyOptions());
    if (!loaded) {
        return {std::nullopt, fail(loaded.error(), ExitCode::Usage)};
    }
    messages.show(loaded->diagnostics);
    if (!loaded->isValid()) {
        return {std::nullopt, ExitCode::PolicyInvalid};
    }
    return {std::move(*loaded), ExitCode::Done};
}

} // namespace app::cli
