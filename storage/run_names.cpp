#include "storage/run_reader.h"
#include "storage/runs/summary.h"
#include "storage/runs/text.h"

#include <algorithm>

namespace storage {
namespace {

using runs::eachOfRun;
using runs::Statement;
using runs::Steps;

/// Texts by id, all in one string: a run may have a million of them.
class Texts {
public:
    /// Ids in ascending order.
    void add(std::uint32_t id, std::string_view text)
    {
        m_ids.push_back(id);
        m_text += text;
        m_ends.push_back(m_text.size());
    }

    [[nodiscard]] std::optional<std::string_view> at(std::uint32_t id) const
    {
        const auto found = std::lower_bound(m_ids.begin(), m_ids.end(), id);
        if (found == m_ids.end() || *found != id) {
            return std::nullopt;
        }
        const auto place = static_cast<std::size_t>(found - m_ids.begin());
        const std::size_t begin = place == 0 ? 0 : m_ends[place - 1];
        return std::string_view(m_text).substr(begin, m_ends[place] - begin);
    }

private:
    std::vector<std::uint32_t> m_ids;
    std::vector<std::size_t> m_ends;
    std::string m_text;
};

/// A rule's keys: one text for each value of a key, at id * width.
struct RuleNames {
    std::string name;
    std::size_t width = 0;
    std::vector<Texts> values;
};

/// A row of rule, id and key.
void addKey(RuleNames& rule, const Statement& row)
{
    const std::vector<std::string> values = runs::splitKey(row.bytes(2), rule.width);
    for (std::size_t i = 0; i < std::min(values.size(), rule.width); ++i) {
        rule.values[i].add(row.id(1), values[i]);
    }
}

} // namespace

class RunNames::Parts {
public:
    Texts whos;
    Texts pathGroups;
    std::vector<RuleNames> rules;
};

RunNames::RunNames()
    : m_parts(std::make_unique<Parts>())
{
}

RunNames::~RunNames() = default;
RunNames::RunNames(RunNames&&) noexcept = default;
RunNames& RunNames::operator=(RunNames&&) noexcept = default;

std::string_view RunNames::who(std::uint32_t id) const
{
    return m_parts->whos.at(id).value_or(std::string_view());
}

std::string_view RunNames::pathGroup(std::uint32_t id) const
{
    return m_parts->pathGroups.at(id).value_or(std::string_view());
}

std::vector<std::string_view> RunNames::key(std::uint32_t rule, std::uint32_t id) const
{
    std::vector<std::string_view> key;
    if (rule < m_parts->rules.size()) {
        for (const Texts& values : m_parts->rules[rule].values) {
            key.push_back(values.at(id).value_or(std::string_view()));
        }
    }
    return key;
}

std::string_view RunNames::rule(std::uint32_t rule) const
{
    return rule < m_parts->rules.size() ? std::string_view(m_parts->rules[rule].name)
                                        : std::string_view();
}

engine::Result<RunNames> RunReader::names(RunId run) const
{
    const engine::Status known = find(run);
    if (!known) {
        return engine::fail(known.error());
    }
    Steps steps(m_store.database());
    RunNames names;
    RunNames::Parts& parts = *names.m_parts;
    eachOfRun(steps, "SELECT id, who FROM whos WHERE run = ?1 ORDER BY id", run,
              [&](const Statement& row) { parts.whos.add(row.id(0), row.bytes(1)); });
    eachOfRun(steps, "SELECT id, path_group FROM path_groups WHERE run = ?1 ORDER BY id", run,
              [&](const Statement& row) { parts.pathGroups.add(row.id(0), row.bytes(1)); });
    eachOfRun(steps, "SELECT name, json_array_length(key) FROM rules WHERE run = ?1 ORDER BY rule",
              run, [&](const Statement& row) {
                  const auto width = static_cast<std::size_t>(row.integer(1));
                  parts.rules.push_back({row.text(0), width, std::vector<Texts>(width)});
              });
    eachOfRun(steps, "SELECT rule, id, key FROM keys WHERE run = ?1 ORDER BY rule, id", run,
              [&](const Statement& row) {
                  if (row.id(0) < parts.rules.size()) {
                      addKey(parts.rules[row.id(0)], row);
                  }
              });
    if (!steps.isFine()) {
        return engine::fail(steps.error());
    }
    return names;
}

} // namespace storage
