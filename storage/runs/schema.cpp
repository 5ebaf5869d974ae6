#include "storage/runs/schema.h"

#include "storage/runs/classes.h"
#include "storage/runs/conditions_schema.h"

#include <array>
#include <string>

namespace storage::runs {
namespace {

// What each column means is told in storage/README.md.
constexpr const char* kVersion1 = R"sql(
CREATE TABLE policies(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX policies_by_fingerprint ON policies(fingerprint);

CREATE TABLE lookups(
  policy INTEGER NOT NULL REFERENCES policies(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  content BLOB NOT NULL,
  PRIMARY KEY(policy, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE recordings(
  id INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  reading TEXT NOT NULL,
  streamed INTEGER NOT NULL,
  partial INTEGER NOT NULL,
  first_ns INTEGER,
  last_ns INTEGER,
  lines INTEGER NOT NULL,
  directives INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  left_out INTEGER NOT NULL,
  bad_lines INTEGER NOT NULL
) STRICT;

CREATE TABLE recording_files(
  recording INTEGER NOT NULL REFERENCES recordings(id) ON DELETE CASCADE,
  file INTEGER NOT NULL,
  path TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  PRIMARY KEY(recording, file)
) STRICT, WITHOUT ROWID;

CREATE TABLE runs(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  state TEXT NOT NULL CHECK(state IN ('running', 'complete', 'interrupted', 'failed')),
  policy INTEGER NOT NULL REFERENCES policies(id),
  recording INTEGER REFERENCES recordings(id),
  source TEXT NOT NULL,
  options TEXT NOT NULL,
  seed INTEGER NOT NULL,
  version TEXT NOT NULL,
  process TEXT NOT NULL,
  started_ns INTEGER NOT NULL,
  ended_ns INTEGER,
  failure_code TEXT NOT NULL DEFAULT '',
  failure TEXT NOT NULL DEFAULT '',
  requests INTEGER NOT NULL DEFAULT 0,
  admitted INTEGER NOT NULL DEFAULT 0,
  rejected INTEGER NOT NULL DEFAULT 0,
  exempt INTEGER NOT NULL DEFAULT 0,
  would_reject INTEGER NOT NULL DEFAULT 0,
  late INTEGER NOT NULL DEFAULT 0,
  delayed INTEGER NOT NULL DEFAULT 0,
  warmup INTEGER NOT NULL DEFAULT 0,
  recorded_known INTEGER NOT NULL DEFAULT 0,
  recorded_rejected INTEGER NOT NULL DEFAULT 0,
  first_ns INTEGER,
  last_ns INTEGER,
  whos INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX runs_by_policy ON runs(policy);
CREATE INDEX runs_by_recording ON runs(recording);

CREATE TABLE tiers(
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  tier TEXT NOT NULL,
  place INTEGER NOT NULL,
  judged INTEGER NOT NULL,
  rejected INTEGER NOT NULL,
  PRIMARY KEY(run, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE rules(
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  rule INTEGER NOT NULL,
  name TEXT NOT NULL,
  override TEXT,
  tier TEXT NOT NULL,
  mode TEXT NOT NULL,
  algorithm TEXT NOT NULL,
  key TEXT NOT NULL,
  judged INTEGER NOT NULL DEFAULT 0,
  admitted INTEGER NOT NULL DEFAULT 0,
  denied INTEGER NOT NULL DEFAULT 0,
  rejected INTEGER NOT NULL DEFAULT 0,
  cost_missing INTEGER NOT NULL DEFAULT 0,
  keys INTEGER NOT NULL DEFAULT 0,
  keys_denied INTEGER NOT NULL DEFAULT 0,
  keys_left_out INTEGER NOT NULL DEFAULT 0,
  delays INTEGER NOT NULL DEFAULT 0,
  delay_mean_ns INTEGER NOT NULL DEFAULT 0,
  delay_p50_ns INTEGER NOT NULL DEFAULT 0,
  delay_p90_ns INTEGER NOT NULL DEFAULT 0,
  delay_p95_ns INTEGER NOT NULL DEFAULT 0,
  delay_p99_ns INTEGER NOT NULL DEFAULT 0,
  delay_p999_ns INTEGER NOT NULL DEFAULT 0,
  delay_max_ns INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY(run, rule)
) STRICT, WITHOUT ROWID;

CREATE TABLE skips(
  run INTEGER NOT NULL,
  rule INTEGER NOT NULL,
  place INTEGER NOT NULL,
  attribute TEXT NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY(run, rule, place),
  FOREIGN KEY(run, rule) REFERENCES rules(run, rule) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE exemptions(
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  exemption INTEGER NOT NULL,
  name TEXT NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY(run, exemption)
) STRICT, WITHOUT ROWID;

CREATE TABLE bad_lines(
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY(run, reason)
) STRICT, WITHOUT ROWID;

CREATE TABLE bad_line_examples(
  run INTEGER NOT NULL,
  reason TEXT NOT NULL,
  place INTEGER NOT NULL,
  file INTEGER NOT NULL,
  line INTEGER NOT NULL,
  text BLOB NOT NULL,
  PRIMARY KEY(run, reason, place),
  FOREIGN KEY(run, reason) REFERENCES bad_lines(run, reason) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE notes(
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  code TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY(run, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE whos(
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  id INTEGER NOT NULL,
  who BLOB NOT NULL,
  requests INTEGER NOT NULL,
  rejected INTEGER NOT NULL,
  would_reject INTEGER NOT NULL,
  recorded_rejected INTEGER NOT NULL,
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE keys(
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  rule INTEGER NOT NULL,
  id INTEGER NOT NULL,
  key BLOB NOT NULL,
  judged INTEGER NOT NULL,
  denied INTEGER NOT NULL,
  PRIMARY KEY(run, rule, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE path_groups(
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  id INTEGER NOT NULL,
  path_group BLOB NOT NULL,
  PRIMARY KEY(run, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE verdict_blocks(
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  block INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  verdicts BLOB NOT NULL,
  number_detail INTEGER NOT NULL,
  numbers BLOB NOT NULL,
  UNIQUE(run, block)
) STRICT;

CREATE TABLE rejection_blocks(
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  block INTEGER NOT NULL,
  rejections INTEGER NOT NULL,
  columns BLOB NOT NULL,
  UNIQUE(run, block)
) STRICT;

CREATE TABLE recorded_blocks(
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  block INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  marks BLOB NOT NULL,
  columns BLOB NOT NULL,
  UNIQUE(run, block)
) STRICT;

CREATE TABLE timelines(
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  level INTEGER NOT NULL,
  first_second INTEGER NOT NULL,
  last_second INTEGER NOT NULL,
  points INTEGER NOT NULL,
  columns BLOB NOT NULL,
  UNIQUE(run, level, first_second)
) STRICT;
)sql";

// In the order of the versions that they lead to; see kConditionsVersion.
constexpr std::array kMigrations {kVersion1, kConditions, kRuleClasses};

engine::Failure foreign(const Database& database, std::string reason)
{
    engine::Failure failure
        = engine::fail("store.foreign", "`" + database.path() + "` is not a store of weir",
                       "choose another file with --db FILE");
    failure.diagnostic.reason = std::move(reason);
    failure.diagnostic.place.file = database.path();
    return failure;
}

} // namespace

std::span<const char* const> migrations()
{
    return kMigrations;
}

bool has(Steps& steps, std::int64_t version)
{
    std::optional<Statement> row = steps.prepare("PRAGMA user_version");
    return steps.next(row) && row->integer(0) >= version;
}

engine::Result<Identity> identify(Database& database, std::size_t steps)
{
    const engine::Result<std::int64_t> objects
        = database.number("SELECT count(*) FROM sqlite_schema");
    if (!objects) {
        return engine::fail(objects.error());
    }
    const engine::Result<std::int64_t> application = database.number("PRAGMA application_id");
    const engine::Result<std::int64_t> version = database.number("PRAGMA user_version");
    if (!application || !version) {
        return engine::fail(application ? version.error() : application.error());
    }
    if (*objects == 0 && *application == 0 && *version == 0) {
        return Identity {true, 0};
    }
    if (*application != kApplicationId) {
        return foreign(database,
                       "a database of another program, application_id "
                           + std::to_string(*application));
    }
    if (*version < 1) {
        return foreign(database, "its user_version is " + std::to_string(*version));
    }
    if (*version > static_cast<std::int64_t>(steps)) {
        engine::Failure failure = engine::fail(
            "store.newer",
            "`" + database.path() + "` has schema version " + std::to_string(*version)
                + ", this program knows versions up to " + std::to_string(steps),
            "use the newer program that wrote it, or choose another store with --db FILE");
        failure.diagnostic.place.file = database.path();
        return failure;
    }
    return Identity {false, *version};
}

engine::Status migrate(Database& database, std::span<const char* const> steps)
{
    engine::Result<Transaction> transaction = Transaction::begin(database);
    if (!transaction) {
        return engine::fail(transaction.error());
    }
    // Asked again under the lock: another process may have been faster.
    const engine::Result<Identity> identity = identify(database, steps.size());
    if (!identity) {
        return engine::fail(identity.error());
    }
    for (const char* const step : steps.subspan(static_cast<std::size_t>(identity->version))) {
        engine::Status applied = database.execute(step);
        if (!applied) {
            return applied;
        }
    }
    const std::string numbers = "PRAGMA application_id = " + std::to_string(kApplicationId)
        + "; PRAGMA user_version = " + std::to_string(steps.size());
    engine::Status numbered = database.execute(numbers.c_str());
    return numbered ? transaction->commit() : numbered;
}

} // namespace storage::runs
