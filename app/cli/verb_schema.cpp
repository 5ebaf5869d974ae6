#include "app/cli/context.h"
#include "policies/schema.h"

namespace app::cli {

ExitCode runSchema(Context& context)
{
    context.out.write(policies::jsonSchema());
    return ExitCode::Done;
}

} // namespace app::cli
