#pragma once
#include "engine/intake.h"
#include "engine/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace app {

/// What of a log says that production rejected a request (--recorded-rejection).
///
/// Without the option it is the status 429, and what a field says that the log has:
/// `limit_req_status` REJECTED (nginx), `response_flags` with RL (Envoy). A name says that one sign
/// alone counts:
///
///   nginx          limit_req_status=REJECTED
///   nginx-dry-run  limit_req_status=[REJECTED, REJECTED_DRY_RUN]: what a dry run would have
///   rejected envoy          RL among the response_flags haproxy        termination_state PR
///   (refused by a rule) or PT (tarpitted)
///
/// These fields are empty where nothing was limited: with a name, what production did is known of
/// every request that has a status or the field. Anything else is a match as in --where.
///
/// Errors: those of parseMatch().
engine::Status readRecorded(const std::string& text, engine::IntakeOptions& intake);

/// The fields that are signs without being asked for, where a log has them.
const std::vector<std::string>& recordedFields();

/// Makes those of recordedFields() that are in `fields` signs, beside what the options say.
void addRecordedSigns(const std::vector<std::string>& fields, engine::IntakeOptions& intake);

} // namespace app
