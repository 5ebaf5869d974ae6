#pragma once
#include "policies/language/report.h"
#include "policies/yaml/node.h"

#include <string>
#include <string_view>

namespace policies::language {

/// Reads `match: { ... }`. `owner` is how messages name whose it is: "rule `search`".
MatchList readMatch(Report& report, const yaml::Item& item, const std::string& owner);

/// The match as the engine reads it: texts and places are gone.
engine::Match matchOf(const MatchList& list);

/// What one value of a match means, by the attribute's name and the value's form.
///
/// path `/a/**` is a Path, client_ip `192.0.2.0/24` a Network, `>=400` a Range, `GET` for method is
/// Equals "GET" however written; the plain word `absent` is Absent, the quoted one text.
/// Errors: policy.network, policy.pattern, policy.range, policy.empty-value.
engine::Result<engine::Test> testOf(std::string_view attribute, const Word& word);

/// The value in normal form, as canonical text has it: `get` for method is `GET`.
std::string normalValue(const Word& word, const engine::Test& test);

} // namespace policies::language
