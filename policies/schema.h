#pragma once
#include <string>

namespace policies {

/// The language as a JSON Schema (draft 2020-12), for editors that complete and check YAML: fields
/// with what they mean, the values of closed sets, the form of rates, durations and numbers, and
/// which fields an algorithm has. Ends with a line end.
///
/// It takes whatever read() takes. What it cannot see, check does: names that occur twice,
/// patterns, order, sizes, lookups. Keywords used: type, properties, required,
/// additionalProperties, items, minItems, enum, const, pattern, minimum, maximum, minLength, anyOf,
/// allOf, not, if, then, $ref, $defs.
std::string jsonSchema();

} // namespace policies
