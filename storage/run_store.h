#pragma once
#include "engine/result.h"
#include "storage/run_results.h"

#include <memory>
#include <string>
#include <vector>

namespace storage {

namespace runs {
class Database;
}

enum class Access : std::uint8_t { Read, Write };

/// The file of results: one SQLite database, described in storage/README.md.
///
/// Read never creates, changes or migrates, and reads a file or folder that it cannot write. Write
/// makes the file (mode 0600) and its folder, migrates an older schema, and marks runs that a dead
/// process left `running` as interrupted. ":memory:" is a store that ends with its last owner; what
/// of it is large lies in a file without a name.
///
/// One thread at a time; every thread opens a store of its own. Writers and readers borrow it.
class RunStore {
public:
    /// Errors: store.missing, store.locked (after 5 s), store.foreign, store.damaged, store.newer,
    /// store.read-only, store.full, store.moved, store.io. Each with a sentence of its own.
    static engine::Result<std::unique_ptr<RunStore>> open(const std::string& path, Access access);
    ~RunStore();
    RunStore(const RunStore&) = delete;
    RunStore& operator=(const RunStore&) = delete;

    [[nodiscard]] const std::string& path() const;
    [[nodiscard]] bool isWritable() const;

    /// Deletes runs and what only they used, and gives the space back. All or none of them.
    /// Errors: store.unknown-run (names the first), store.run-in-use (a live process writes it),
    /// and those of open().
    engine::Status remove(const std::vector<RunId>& runs);

    /// Gives a run another name. Errors: store.unknown-run, and those of open().
    engine::Status rename(RunId run, const std::string& name);

    /// Deletes all but the newest `count` runs; a run that a live process writes stays and does
    /// not count. Returns those that went.
    engine::Result<std::vector<RunId>> keep(std::size_t count);

    /// For the other doors of this folder.
    [[nodiscard]] runs::Database& database() const;

private:
    class Parts;
    explicit RunStore(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

} // namespace storage
