#include "policies/rule_fields.h"

#include "policies/language/field_table.h"
#include "policies/language/limits.h"

#include <algorithm>

namespace policies {
namespace {

using engine::Algorithm;

bool isRequired(Algorithm algorithm, std::string_view field)
{
    return field == "rate" || field == "in_flight" || field == "capacity"
        || (field == "queue" && algorithm == Algorithm::LeakyBucket);
}

} // namespace

std::vector<LimitField> limitFields(Algorithm algorithm)
{
    std::vector<LimitField> fields;
    for (const std::string_view name : language::limitFieldsOf(algorithm)) {
        fields.push_back({name, ruleFieldDescription(name), isRequired(algorithm, name)});
    }
    return fields;
}

std::string_view ruleFieldDescription(std::string_view field)
{
    for (const language::FieldInfo& info : language::fieldsOf(language::Owner::Rule)) {
        if (info.name == field) {
            return info.description;
        }
    }
    return "";
}

std::vector<Algorithm> algorithms()
{
    return {Algorithm::TokenBucket,
            Algorithm::SlidingWindowCounter,
            Algorithm::SlidingWindowLog,
            Algorithm::FixedWindow,
            Algorithm::Gcra,
            Algorithm::LeakyBucket,
            Algorithm::Concurrency,
            Algorithm::AdaptiveConcurrency,
            Algorithm::LoadShedder};
}

} // namespace policies
