#include "policies/advice/wider_index.h"

#include "engine/match_order.h"

#include <algorithm>
#include <string_view>

namespace policies::advice {
namespace {

using engine::Matcher;
using engine::Test;
using engine::TestKind;

constexpr std::size_t kManyValues = 64; ///< an entry with more is filed as "anything"
constexpr std::size_t kMostFiles = 64; ///< that a match is looked for in
constexpr std::size_t kLongKey
    = 4; ///< of longer keys only the whole and the empty one are looked for

std::string filedAs(std::string_view attribute, char kind, std::string_view text)
{
    return joined({std::string(attribute), std::string(1, kind), std::string(text)});
}

/// "/api/" of "/api/**"; nothing of other patterns.
std::optional<std::string_view> literalStart(const Test& test)
{
    const std::string_view text = test.text;
    if (test.kind != TestKind::Path || !text.ends_with("/**")
        || text.find_first_of("*{") != text.size() - 2) {
        return std::nullopt;
    }
    return text.substr(0, text.size() - 2);
}

bool isPlain(const Test& test)
{
    return test.kind == TestKind::Equals || test.kind == TestKind::Path;
}

std::string fileOf(const std::string& attribute, const Test& test)
{
    const auto start = literalStart(test);
    return start ? filedAs(attribute, '/', *start) : filedAs(attribute, '=', test.text);
}

bool isFiledByValue(const Matcher& entry)
{
    return !entry.negated && entry.anyOf.size() <= kManyValues
        && std::all_of(entry.anyOf.begin(), entry.anyOf.end(), [](const Test& test) {
               return test.kind == TestKind::Equals || literalStart(test);
           });
}

/// Everything under which a test that covers this one can be filed. False: too many.
bool addWider(const std::string& attribute, const Test& test, std::vector<std::string>& files)
{
    if (!isPlain(test)) {
        return true;
    }
    files.push_back(filedAs(attribute, '=', test.text));
    if (attribute != "path") {
        return true;
    }
    for (std::size_t at = test.text.find('/'); at != std::string::npos;
         at = test.text.find('/', at + 1)) {
        if (files.size() >= kMostFiles) {
            return false;
        }
        files.push_back(filedAs(attribute, '/', std::string_view(test.text).substr(0, at + 1)));
    }
    files.push_back(filedAs(attribute, '/', test.text + "/")); // "/api/**" covers "/api"
    return true;
}

/// False: these are not all.
bool addFiles(const engine::Match& match, std::vector<std::string>& files)
{
    bool isWhole = true;
    files.push_back(joined({}));
    for (const Matcher& entry : match) {
        if (!entry.negated && !entry.anyOf.empty()) {
            isWhole = addWider(entry.attribute, entry.anyOf.front(), files) && isWhole;
        }
        files.push_back(filedAs(entry.attribute, '*', {}));
    }
    return isWhole;
}

std::vector<std::string> subsetsOf(const std::vector<std::string>& key)
{
    if (key.size() > kLongKey) {
        return {joined(key), joined({})};
    }
    std::vector<std::string> subsets;
    for (unsigned bits = 1U << key.size(); bits-- > 0;) {
        std::vector<std::string> subset;
        for (std::size_t i = 0; i < key.size(); ++i) {
            if ((bits >> i & 1U) != 0) {
                subset.push_back(key[i]);
            }
        }
        subsets.push_back(joined(subset));
    }
    return subsets;
}

} // namespace

std::vector<std::string> sortedKey(const Rule& rule)
{
    std::vector<std::string> key;
    for (const Word& word : rule.key.value) {
        key.push_back(word.text);
    }
    std::sort(key.begin(), key.end());
    return key;
}

std::string matchText(const engine::Match& match)
{
    std::vector<std::string> entries;
    for (const Matcher& entry : match) {
        std::vector<std::string> tests;
        for (const Test& test : entry.anyOf) {
            tests.push_back(joined({std::to_string(static_cast<int>(test.kind)), test.text,
                                    std::to_string(test.low), std::to_string(test.high)}));
        }
        std::sort(tests.begin(), tests.end());
        entries.push_back(joined({entry.attribute, entry.negated ? "not" : "", joined(tests)}));
    }
    std::sort(entries.begin(), entries.end());
    return joined(entries);
}

std::string joined(const std::vector<std::string>& texts)
{
    std::string all;
    for (const std::string& text : texts) {
        all += std::to_string(text.size()) + ':';
        all += text;
    }
    return all;
}

void WiderIndex::add(std::size_t id, const std::vector<std::string>& key,
                     const engine::Match& match)
{
    const std::string keyText = joined(key) + '|';
    const Matcher* narrowest = nullptr;
    for (const Matcher& entry : match) {
        if (isFiledByValue(entry)
            && (narrowest == nullptr || entry.anyOf.size() < narrowest->anyOf.size())) {
            narrowest = &entry;
        }
    }
    if (narrowest != nullptr) {
        for (const Test& test : narrowest->anyOf) {
            m_files[keyText + fileOf(narrowest->attribute, test)].push_back({id, &match});
        }
    } else if (!match.empty()) {
        m_files[keyText + filedAs(match.front().attribute, '*', {})].push_back({id, &match});
    } else {
        m_files[keyText + joined({})].push_back({id, &match});
    }
}

WiderIndex::Found WiderIndex::find(const std::vector<std::string>& key, const engine::Match& match,
                                   const std::function<bool(std::size_t)>& visit) const
{
    if (m_files.empty()) {
        return Found::No;
    }
    std::size_t looks = 0;
    std::vector<std::string> files;
    const bool isWhole = addFiles(match, files) && key.size() <= kLongKey;
    for (const std::string& subset : subsetsOf(key)) {
        for (const std::string& file : files) {
            const auto found = m_files.find(subset + '|' + file);
            if (found == m_files.end()) {
                continue;
            }
            for (const Filed& filed : found->second) {
                if (++looks > kMostLooks) {
                    return Found::GaveUp;
                }
                if (engine::covers(*filed.match, match) && visit(filed.id)) {
                    return Found::Yes;
                }
            }
        }
    }
    return isWhole ? Found::No : Found::GaveUp;
}

} // namespace policies::advice
