#pragma once
#include "tests/support/gunzip.h"
#include "tests/support/json.h"

#include <QString>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

/// The suites of worked examples, and who plays them.
namespace vector_file {

using tests::support::Json;

/// Kinds of suites that tst_behaviour_vectors and tst_client_vectors play, by how they begin.
inline constexpr std::array<std::string_view, 5> kBehaviour {"adaptive_", "shed_", "multi_node",
                                                             "quota_lease", "tiers"};
inline constexpr std::array<std::string_view, 2> kClients {"client_", "retry_budget_"};

template <std::size_t Count>
bool isOneOf(const std::array<std::string_view, Count>& kinds, std::string_view algorithm)
{
    return std::any_of(kinds.begin(), kinds.end(),
                       [&](std::string_view kind) { return algorithm.starts_with(kind); });
}

/// A file of tests/data/vectors; Null where it cannot be read.
inline Json read(const QString& name)
{
    const QByteArray text
        = tests::support::contentOf(QStringLiteral(WEIR_SOURCE_DIR "/tests/data/vectors/") + name);
    return Json::parse({text.constData(), static_cast<std::size_t>(text.size())}).value_or(Json {});
}

/// The suites of those kinds: the given ones, and ours.
template <std::size_t Count>
std::vector<Json> suites(const std::array<std::string_view, Count>& kinds)
{
    std::vector<Json> found;
    for (const QString& name :
         {QStringLiteral("vectors.json"), QStringLiteral("more_behaviour.json")}) {
        const Json file = read(name);
        if (const Json* all = file.find("suites")) {
            std::copy_if(
                all->items().begin(), all->items().end(), std::back_inserter(found),
                [&](const Json& suite) { return isOneOf(kinds, suite.find("algorithm")->text()); });
        }
    }
    return found;
}

inline double number(const Json& value)
{
    return value.kind() == Json::Kind::Integer ? static_cast<double>(value.integer())
                                               : std::strtod(value.text().c_str(), nullptr);
}

/// The number of that name in a step or config, or `otherwise`.
inline double number(const Json& object, std::string_view name, double otherwise)
{
    const Json* const value = object.find(name);
    return value == nullptr || value->isNull() ? otherwise : number(*value);
}

/// Equal but for the last digits that a text of a double does not keep.
inline bool isClose(double ours, double theirs)
{
    return std::abs(ours - theirs) <= 1e-9 * std::max(1.0, std::abs(theirs));
}

} // namespace vector_file
