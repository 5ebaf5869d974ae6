#pragma once
#include "app/workbench/log_choice.h"

namespace tests {

/// The demonstration log: one day of an API, with a scraper and an attack on the login.
app::LogChoice demoLog();

} // namespace tests
