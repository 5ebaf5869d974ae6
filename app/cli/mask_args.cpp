#include "app/cli/mask_args.h"

#include "app/cli/log_args.h"
#include "app/cli/process.h"
#include "app/workbench/files.h"

namespace app::cli {

engine::Result<MaskArgs> maskArgsOf(const Context& context)
{
    MaskArgs mask;
    mask.attributes = listOf(context.args, OptionId::Mask);
    if (mask.attributes.empty() && context.args.has(OptionId::Mask)) {
        return engine::fail("cli.usage", "--mask names no attribute",
                            "write attributes with commas between them: client_ip,api_key");
    }
    mask.key = MaskKey::ofSeed(context.common.seed);
    const std::optional<std::string> file = context.args.text(OptionId::MaskKey);
    if (!file) {
        return mask;
    }
    constexpr std::size_t kMostKeyBytes = std::size_t {1} << 20;
    const engine::Result<std::string> bytes = readFile(*file, kMostKeyBytes, &interrupted());
    if (!bytes) {
        return engine::fail(bytes.error());
    }
    const engine::Result<MaskKey> key = MaskKey::ofBytes(*bytes);
    if (!key) {
        return engine::fail(key.error());
    }
    mask.key = *key;
    return mask;
}

void noteMaskKey(const Context& context)
{
    if (context.args.has(OptionId::Mask) && !context.args.has(OptionId::MaskKey)) {
        context.messages.note("without --mask-key, whoever tries all values, or knows the seed "
                              "(--seed, 1 by default), finds out whose a pseudonym is");
    }
}

} // namespace app::cli
