#pragma once
#include "app/cli/context.h"
#include "app/workbench/pseudonym.h"
#include "engine/result.h"

#include <string>
#include <vector>

namespace app::cli {

/// `--mask`, with the key of its pseudonyms.
struct MaskArgs {
    std::vector<std::string> attributes; ///< in their order; none: nothing is masked
    MaskKey key; ///< of --mask-key, else of --seed
};

/// Errors: cli.usage (names no attribute), file.*, mask.key.
engine::Result<MaskArgs> maskArgsOf(const Context& context);

/// Says that pseudonyms without --mask-key can be found out.
void noteMaskKey(const Context& context);

} // namespace app::cli
