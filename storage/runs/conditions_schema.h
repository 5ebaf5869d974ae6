#pragma once

namespace storage::runs {

/// The step of the schema that brought what several servers, outages and clients that come again
/// do to a run. What each column means is told in storage/README.md.
inline constexpr const char* kConditions = R"sql(
ALTER TABLE rules ADD COLUMN state_keys INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rules ADD COLUMN state_bytes INTEGER NOT NULL DEFAULT 0;

CREATE TABLE servers(
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  server INTEGER NOT NULL,
  name BLOB NOT NULL,
  requests INTEGER NOT NULL,
  admitted INTEGER NOT NULL,
  clock_ns INTEGER NOT NULL,
  PRIMARY KEY(run, server)
) STRICT, WITHOUT ROWID;

CREATE TABLE server_rules(
  run INTEGER NOT NULL,
  rule INTEGER NOT NULL,
  window_cost INTEGER NOT NULL,
  window_key BLOB,
  window_from_ns INTEGER NOT NULL,
  second_cost INTEGER NOT NULL,
  second_key BLOB,
  second_from_ns INTEGER NOT NULL,
  PRIMARY KEY(run, rule),
  FOREIGN KEY(run, rule) REFERENCES rules(run, rule) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE outages(
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  outage INTEGER NOT NULL,
  from_ns INTEGER NOT NULL,
  to_ns INTEGER NOT NULL,
  PRIMARY KEY(run, outage)
) STRICT, WITHOUT ROWID;

CREATE TABLE rule_outages(
  run INTEGER NOT NULL,
  rule INTEGER NOT NULL,
  outage INTEGER NOT NULL,
  let_in INTEGER NOT NULL,
  turned_away INTEGER NOT NULL,
  judged_locally INTEGER NOT NULL,
  denied_locally INTEGER NOT NULL,
  PRIMARY KEY(run, rule, outage),
  FOREIGN KEY(run, rule) REFERENCES server_rules(run, rule) ON DELETE CASCADE,
  FOREIGN KEY(run, outage) REFERENCES outages(run, outage) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE clients(
  run INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
  nameless INTEGER NOT NULL,
  peak_attempts INTEGER NOT NULL,
  peak_second INTEGER NOT NULL,
  herd INTEGER NOT NULL,
  herd_ns INTEGER NOT NULL,
  lockouts INTEGER NOT NULL,
  until_admitted INTEGER NOT NULL,
  until_admitted_mean_ns INTEGER NOT NULL,
  until_admitted_p50_ns INTEGER NOT NULL,
  until_admitted_p90_ns INTEGER NOT NULL,
  until_admitted_p95_ns INTEGER NOT NULL,
  until_admitted_p99_ns INTEGER NOT NULL,
  until_admitted_p999_ns INTEGER NOT NULL,
  until_admitted_max_ns INTEGER NOT NULL
) STRICT;

CREATE TABLE behaviours(
  run INTEGER NOT NULL REFERENCES clients(run) ON DELETE CASCADE,
  behaviour INTEGER NOT NULL,
  name TEXT NOT NULL,
  clients INTEGER NOT NULL,
  first INTEGER NOT NULL,
  retries INTEGER NOT NULL,
  admitted_at_once INTEGER NOT NULL,
  admitted_later INTEGER NOT NULL,
  gave_up INTEGER NOT NULL,
  out_of_budget INTEGER NOT NULL,
  PRIMARY KEY(run, behaviour)
) STRICT, WITHOUT ROWID;

CREATE TABLE lockouts(
  run INTEGER NOT NULL REFERENCES clients(run) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  client BLOB NOT NULL,
  attempts INTEGER NOT NULL,
  gave_up INTEGER NOT NULL,
  since_ns INTEGER NOT NULL,
  PRIMARY KEY(run, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE series(
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK(kind IN ('attempts', 'limit')),
  rule INTEGER CHECK((rule IS NULL) = (kind = 'attempts')),
  first_second INTEGER NOT NULL,
  last_second INTEGER NOT NULL,
  points INTEGER NOT NULL,
  columns BLOB NOT NULL,
  UNIQUE(run, kind, rule, first_second)
) STRICT;
)sql";

} // namespace storage::runs
