#include "app/cli/context.h"

#include <utility>

namespace app::cli {

PolicyOptions Context::policyOptions() const
{
    return {args.text(OptionId::LookupDir), {args.all(OptionId::Set), args.all(OptionId::Mode)}};
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
