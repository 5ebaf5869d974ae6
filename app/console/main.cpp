#include "app/console/console.h"

int main(int argc, char** argv)
{
    return app::console::run(argc, argv);
}
