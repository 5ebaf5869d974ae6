#pragma once
#include "policies/language/fields.h"

#include <vector>

/// Reading what adaptive_concurrency, load_shedder and `tighten` have beside plain numbers.
namespace policies::language {

/// strategy, initial, min, max.
void readLearning(const Fields& fields, Rule& rule);

/// The entries of `classes`. `fields` is the rule's map.
Given<std::vector<ShedClass>> readClasses(Report& report, const Fields& fields);

/// `{ rule: NAME, above: 80%, factor: 2 }`: all three are required.
Given<Tighten> readTighten(Report& report, const Fields& fields);

/// Of the whole policy: is what each `tighten` names a rule that can tighten another one, that is
/// of a kind that holds slots, with one bucket and without overrides? Error: policy.tighten.
void checkTightening(Report& report, const Policy& policy);

} // namespace policies::language
