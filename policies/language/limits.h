#pragma once
#include "engine/result.h"
#include "policies/language/report.h"
#include "policies/policy.h"

#include <string_view>
#include <vector>

namespace policies::language {

/// The values that hold for an override (or, with nullptr, for the rest of the rule): the
/// override's in place of the rule's, field by field (small print C26).
Values valuesOf(const Rule& rule, const Override* override);

/// The limit that these values make. Fields that are missing keep their defaults; `burst: 5x` is
/// counted out. Errors: policy.limit-range (what cannot be counted exactly, small print A27).
engine::Result<engine::Limit> limitOf(const Rule& rule, const Values& values);

/// The rate in the form in which equal rates are equal: buckets know N/P as a fraction only, so
/// 60/min is 1/s; windows know N and P each, so theirs stays as it is.
engine::Rate comparableRate(const engine::Limit& limit);

/// The fields that belong to a limit, and which of them an algorithm has.
std::vector<std::string_view> limitFields();
std::vector<std::string_view> limitFieldsOf(engine::Algorithm algorithm);

bool isBucket(engine::Algorithm algorithm); ///< token_bucket, gcra, leaky_bucket

/// Reports fields that the algorithm does not have, those that it lacks, and limits out of range,
/// of the rule and of each of its overrides.
void checkLimits(Report& report, const Rule& rule);

engine::Mode modeOf(const Values& values);

/// Whatever the rule judges and admits is counted by it: nobody else can reject it and leave it
/// uncounted (semantics section 3).
bool countsAllItAdmits(const Policy& policy, const Rule& rule);

} // namespace policies::language
