#include "app/cli/cli.h"

#include <cstdio>
#include <cstring>

namespace app::cli {

int run(int argc, char** argv)
{
    if (argc == 2 && std::strcmp(argv[1], "version") == 0) {
        std::puts("weir 0.1.0");
        return 0;
    }
    std::fputs("weir: error[cli.usage]: no such verb\n", stderr);
    return 2;
}

} // namespace app::cli
