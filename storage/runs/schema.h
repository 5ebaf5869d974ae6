#pragma once
#include "storage/runs/sqlite.h"
#include "storage/runs/steps.h"

#include <cstdint>
#include <span>

namespace storage::runs {

/// "weir" in ASCII: what tells our files from other SQLite databases.
inline constexpr std::int64_t kApplicationId = 0x77656972;

/// Step i takes a store from version i to version i + 1. Only ever extended.
std::span<const char* const> migrations();

/// The version that brought servers, outages, clients and series.
inline constexpr std::int64_t kConditionsVersion = 2;

/// Is the store of this version or a later one? Asked by readers, which never migrate, before they
/// read what that version brought: of an older store they give nothing. Each time, since a writer
/// may have migrated it meanwhile. A failure stays in `steps`.
bool has(Steps& steps, std::int64_t version);

/// What kind of file this is.
struct Identity {
    bool isEmpty = false; ///< no object, no number: new, or its maker was killed before the schema
    std::int64_t version = 0;
};

/// Errors: store.foreign, store.newer (newer than `steps`), store.damaged and others of the
/// database.
engine::Result<Identity> identify(Database& database, std::size_t steps);

/// Brings a store to the newest version: all in one transaction, numbers included. `steps` is
/// migrations() but in tests.
engine::Status migrate(Database& database, std::span<const char* const> steps);

} // namespace storage::runs
