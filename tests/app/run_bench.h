#pragma once
#include "app/workbench/policy_files.h"
#include "app/workbench/replay.h"

#include <QTemporaryDir>

#include <memory>
#include <string>

namespace tests {

/// A folder with a log and a store, in which policies are replayed.
class RunBench {
public:
    /// `log`: lines of the neutral format.
    explicit RunBench(const std::string& log);

    /// The run of `policy` over the log, under its --set; a failure ends the test.
    storage::RunId replay(const std::string& policy, std::vector<std::string> sets = {},
                          std::int64_t warmupNs = 0);

    [[nodiscard]] std::string path(const char* name) const;
    void write(const char* name, const std::string& bytes) const;

    std::unique_ptr<storage::RunStore> store;

private:
    QTemporaryDir m_folder;
};

} // namespace tests
