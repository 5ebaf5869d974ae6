#include "policies/language/match.h"

#include "engine/attributes.h"
#include "policies/language/fields.h"
#include "policies/language/numbers.h"
#include "policies/language/words.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace policies::language {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

/// A whole number, or a duration in ns.
std::optional<std::int64_t> numberOf(std::string_view text)
{
    if (isDigits(text)) {
        const engine::Result<std::int64_t> whole = parseWhole(text);
        return whole ? std::optional(*whole) : std::nullopt;
    }
    const engine::Result<std::int64_t> duration = parseDuration(text);
    return duration ? std::optional(*duration) : std::nullopt;
}

std::string normalNumber(std::string_view text)
{
    return isDigits(text) ? std::string(text) : durationText(*parseDuration(text));
}

engine::Test rangeTest(std::int64_t low, std::int64_t high)
{
    return {engine::TestKind::Range, {}, low, high};
}

engine::Test textTest(engine::TestKind kind, std::string text)
{
    return {kind, std::move(text), 0, 0};
}

/// `>=N`, `<N`, `A..B`; nothing if the text is none of these.
std::optional<engine::Test> asRange(std::string_view text)
{
    if (text.substr(0, 2) == ">=") {
        const auto low = numberOf(text.substr(2));
        return low ? std::optional(rangeTest(*low, kMost)) : std::nullopt;
    }
    if (text.substr(0, 1) == "<") {
        const auto above = numberOf(text.substr(1));
        return above ? std::optional(rangeTest(kLeast, *above - 1)) : std::nullopt;
    }
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) {
        return std::nullopt;
    }
    const auto low = numberOf(text.substr(0, dots));
    const auto high = numberOf(text.substr(dots + 2));
    return low && high ? std::optional(rangeTest(*low, *high)) : std::nullopt;
}

bool looksLikeAddress(std::string_view text)
{
    const bool isNumeric = text.find_first_not_of("0123456789.") == std::string_view::npos
        && text.find('.') != std::string_view::npos;
    return isNumeric
        || (text.find(':') != std::string_view::npos
            && text.find_first_not_of("0123456789abcdefABCDEF:.%[]") == std::string_view::npos);
}

engine::Result<engine::Test> addressTest(std::string_view text)
{
    const bool isGlob = text.find_first_of("*?") != std::string_view::npos;
    const bool isBlock = text.find('/') != std::string_view::npos;
    if (const auto address = engine::parseAddress(text); address && !isBlock) {
        return textTest(engine::TestKind::Equals, engine::toText(*address));
    }
    if (isBlock || (!isGlob && looksLikeAddress(text))) {
        const engine::Result<engine::Network> network = engine::parseNetwork(text);
        if (!network) {
            const std::string& help = network.error().help;
            return engine::fail(
                "policy.network", network.error().message,
                help.empty() ? "write an address or a block, as `192.0.2.0/24` or `2001:db8::/32`"
                             : help);
        }
        return textTest(engine::TestKind::Network,
                        fmt::format("{}/{}", engine::toText(network->base), network->prefixBits));
    }
    return textTest(isGlob ? engine::TestKind::Glob : engine::TestKind::Equals, std::string(text));
}

engine::Result<engine::Test> pathTest(std::string_view text)
{
    if (text.find_first_of("*{}") == std::string_view::npos) {
        return textTest(engine::TestKind::Equals, std::string(text));
    }
    const auto captures = engine::capturesOf("path", text);
    if (!captures) {
        const std::string& help = captures.error().help;
        return engine::fail(
            "policy.pattern", captures.error().message,
            help.empty() ? "write segments with `*`, `**` or `{name}`, as `/search/**`" : help);
    }
    return textTest(engine::TestKind::Path, std::string(text));
}

std::string inCase(std::string_view attribute, std::string_view text)
{
    std::string out(text);
    for (char& c : out) {
        if (attribute == "method" && c >= 'a' && c <= 'z') {
            c = static_cast<char>(c - 'a' + 'A');
        } else if (attribute == "host" && c >= 'A' && c <= 'Z') {
            c = static_cast<char>(c - 'A' + 'a');
        }
    }
    return out;
}

engine::Test plainTest(std::string_view attribute, std::string_view text)
{
    if (text.find_first_of("*?") != std::string_view::npos) {
        return textTest(engine::TestKind::Glob, inCase(attribute, text));
    }
    std::string out;
    const std::string_view normal = attribute == "method" || attribute == "host"
        ? engine::normalise(attribute, text, out)
        : text;
    return textTest(engine::TestKind::Equals,
                    std::string(normal.data() == nullptr ? text : normal));
}

void readEntry(Report& report, const yaml::Item& item, const std::string& owner, MatchList& match)
{
    const std::string subject = fmt::format("`{}` in the match of {}", shown(item.key.text), owner);
    if (item.value.kind == yaml::Kind::Null) {
        reportNoValue(report, item, subject);
        return;
    }
    if (item.key.text.empty()) {
        report.error("policy.empty-value", item.key.at,
                     fmt::format("an attribute in the match of {} has no name", owner),
                     "write the name of an attribute, as `path`");
        return;
    }
    MatchEntry entry;
    entry.attribute = item.key;
    entry.at = item.at;
    const yaml::Node* value = &item.value;
    if (value->kind == yaml::Kind::Map) {
        static constexpr std::array<std::string_view, 1> kNot {"not"};
        const Fields fields(report, *value, subject, kNot);
        fields.require("not", "write `{ not: VALUE }`");
        const yaml::Item* negated = fields.item("not");
        if (negated == nullptr) {
            return;
        }
        entry.negated = true;
        value = &negated->value;
    }
    if (value->kind == yaml::Kind::Map) {
        reportType(report, *value, subject, "a value or a list of values",
                   "write `{ not: VALUE }` or `{ not: [A, B] }`");
        return;
    }
    if (value->kind == yaml::Kind::Sequence && value->items.empty() && !value->unusable) {
        report.error("policy.empty-list", value->at,
                     fmt::format("{} has an empty list, which nothing matches", subject),
                     "write at least one value, or remove the entry");
    }
    for (Word& word : wordsOf(report, *value, subject, true)) {
        engine::Result<engine::Test> test = testOf(item.key.text, word);
        if (!test) {
            engine::Diagnostic diagnostic = test.error();
            diagnostic.message = fmt::format("{}: {}", subject, diagnostic.message);
            report.error(diagnostic, word.at);
            continue;
        }
        entry.tests.push_back(std::move(*test));
        entry.values.push_back(std::move(word));
    }
    match.entries.push_back(std::move(entry));
}

} // namespace

engine::Match matchOf(const MatchList& list)
{
    engine::Match match;
    for (const MatchEntry& entry : list.entries) {
        match.push_back({entry.attribute.text, entry.negated, entry.tests});
    }
    return match;
}

engine::Result<engine::Test> testOf(std::string_view attribute, const Word& word)
{
    const std::string_view text = word.text;
    if (text.empty()) {
        return engine::fail("policy.empty-value", "an empty text matches nothing",
                            "write `absent` for a missing attribute");
    }
    if (text == "absent" && !word.quoted) {
        return textTest(engine::TestKind::Absent, {});
    }
    if (attribute == "path") {
        return pathTest(text);
    }
    if (attribute == "client_ip") {
        return addressTest(text);
    }
    if (auto range = asRange(text)) {
        if (range->low > range->high) {
            return engine::fail("policy.range", fmt::format("nothing lies in `{}`", shown(text)),
                                "write the smaller number first, as `1..5`");
        }
        return std::move(*range);
    }
    if (attribute == "duration" && !isDigits(text) && numberOf(text)) {
        return rangeTest(*numberOf(text), *numberOf(text));
    }
    return plainTest(attribute, text);
}

std::string normalValue(const Word& word, const engine::Test& test)
{
    const std::string_view text = word.text;
    if (test.kind == engine::TestKind::Absent) {
        return "absent";
    }
    if (test.kind != engine::TestKind::Range) {
        return test.text;
    }
    if (text.substr(0, 2) == ">=") {
        return ">=" + normalNumber(text.substr(2));
    }
    if (text.substr(0, 1) == "<") {
        return "<" + normalNumber(text.substr(1));
    }
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) {
        return normalNumber(text);
    }
    return normalNumber(text.substr(0, dots)) + ".." + normalNumber(text.substr(dots + 2));
}

MatchList readMatch(Report& report, const yaml::Item& item, const std::string& owner)
{
    MatchList match;
    match.key = item.key.at;
    match.at = item.value.at;
    if (item.value.unusable) {
        return match;
    }
    if (item.value.kind != yaml::Kind::Map) {
        reportType(report, item.value, fmt::format("`match` of {}", owner), "a map",
                   "write `match: { path: /login }`");
        return match;
    }
    for (const yaml::Item& entry : item.value.items) {
        readEntry(report, entry, owner, match);
    }
    return match;
}

} // namespace policies::language
