#include "storage/key_list.h"

#include "storage/runs/classes.h"
#include "storage/runs/summary.h"
#include "storage/runs/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>

namespace storage {
namespace {

using runs::Statement;
using runs::Steps;

struct Candidate {
    KeyPlace place;
    std::uint64_t judged = 0;
    std::uint64_t denied = 0;
    std::string key {}; ///< where the order needs it
};

char lowered(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// Finds one text within many, letters a to z in any case.
class Filter {
public:
    explicit Filter(const std::string& text)
        : m_text(text)
        , m_search(m_text.begin(), m_text.end(), Hash(), Same())
    {
    }

    [[nodiscard]] bool isIn(std::string_view text) const
    {
        return m_text.empty() || std::search(text.begin(), text.end(), m_search) != text.end();
    }

    [[nodiscard]] bool isAll() const { return m_text.empty(); }

private:
    struct Hash {
        std::size_t operator()(char letter) const
        {
            return static_cast<unsigned char>(lowered(letter));
        }
    };

    struct Same {
        bool operator()(char a, char b) const { return lowered(a) == lowered(b); }
    };

    const std::string& m_text;
    std::boyer_moore_horspool_searcher<std::string::const_iterator, Hash, Same> m_search;
};

struct KeyRule {
    bool isNamed = false; ///< its name fits the filter
    bool isVeiled = false;
};

std::map<std::uint32_t, KeyRule> rulesOf(Steps& steps, RunId run, const KeyQuery& query,
                                         const Filter& filter)
{
    std::map<std::uint32_t, KeyRule> rules;
    runs::eachOfRun(
        steps,
        "SELECT rule, name, override, " + runs::classColumn(steps) + " FROM rules WHERE run = ?1",
        run, [&](const Statement& row) {
            const std::string name = row.text(1) + (row.isNull(2) ? "" : "/" + row.text(2))
                + (row.isNull(3) ? "" : "[" + row.text(3) + "]");
            const bool isVeiled = std::find(query.veiled.begin(), query.veiled.end(), row.id(0))
                != query.veiled.end();
            rules[row.id(0)] = {filter.isIn(name), isVeiled};
        });
    return rules;
}

std::vector<Candidate> candidatesOf(Steps& steps, RunId run, const KeyQuery& query)
{
    const Filter filter(query.filter);
    const bool isByKey = query.sort == KeySort::Key;
    const std::map<std::uint32_t, KeyRule> rules = rulesOf(steps, run, query, filter);
    std::string sql = "SELECT rule, id, judged, denied";
    sql += isByKey || !filter.isAll() ? ", key" : "";
    sql += " FROM keys WHERE run = ?1";
    sql += query.rules.empty() ? " AND ?2 = '[]'"
                               : " AND rule IN (SELECT value FROM json_each(?2))";
    sql += query.deniedOnly ? " AND denied > 0" : "";
    const std::string rulesAsked = fmt::format("[{}]", fmt::join(query.rules, ","));
    std::optional<Statement> rows = steps.prepare(sql);
    if (rows) {
        rows->bind(run, std::string_view(rulesAsked));
    }
    std::vector<Candidate> candidates;
    while (steps.next(rows)) {
        if (!filter.isAll()) {
            const auto found = rules.find(rows->id(0));
            const KeyRule rule = found == rules.end() ? KeyRule {} : found->second;
            if (!rule.isNamed && (rule.isVeiled || !filter.isIn(rows->bytes(4)))) {
                continue;
            }
        }
        candidates.push_back({{rows->id(0), rows->id(1)},
                              rows->count(2),
                              rows->count(3),
                              isByKey ? rows->text(4) : std::string()});
    }
    return candidates;
}

double shareOf(const Candidate& key)
{
    return static_cast<double>(key.denied)
        / static_cast<double>(std::max<std::uint64_t>(key.judged, 1));
}

/// Less than 0: a first, in ascending order.
int compare(KeySort sort, const Candidate& a, const Candidate& b)
{
    const auto sign = [](const auto& x, const auto& y) { return x < y ? -1 : y < x ? 1 : 0; };
    switch (sort) {
    case KeySort::Rule:
        return sign(a.place.rule, b.place.rule);
    case KeySort::Key:
        return sign(a.key, b.key);
    case KeySort::Judged:
        return sign(a.judged, b.judged);
    case KeySort::Denied:
        return sign(a.denied, b.denied);
    case KeySort::Share:
        break;
    }
    return sign(shareOf(a), shareOf(b));
}

bool isBefore(const KeyQuery& query, const Candidate& a, const Candidate& b)
{
    const int order = compare(query.sort, a, b);
    if (order != 0) {
        return query.descending ? order > 0 : order < 0;
    }
    if (a.denied != b.denied) {
        return a.denied > b.denied;
    }
    if (a.judged != b.judged) {
        return a.judged > b.judged;
    }
    return a.place.rule != b.place.rule ? a.place.rule < b.place.rule : a.place.id < b.place.id;
}

engine::Status known(Steps& steps, const RunStore& store, RunId run)
{
    std::optional<Statement> row = runs::ofRun(steps, "SELECT 1 FROM runs WHERE id = ?1", run);
    if (steps.next(row)) {
        return engine::Done {};
    }
    return steps.isFine() ? runs::unknownRun(store.path(), run) : steps.status();
}

} // namespace

engine::Result<std::vector<KeyPlace>> keyPlaces(RunStore& store, RunId run, const KeyQuery& query)
{
    Steps steps(store.database());
    if (engine::Status found = known(steps, store, run); !found) {
        return engine::fail(found.error());
    }
    std::vector<Candidate> candidates = candidatesOf(steps, run, query);
    if (!steps.isFine()) {
        return engine::fail(steps.error());
    }
    std::sort(candidates.begin(), candidates.end(),
              [&](const Candidate& a, const Candidate& b) { return isBefore(query, a, b); });
    std::vector<KeyPlace> places;
    places.reserve(candidates.size());
    for (const Candidate& candidate : candidates) {
        places.push_back(candidate.place);
    }
    return places;
}

engine::Result<std::vector<KeyRow>> keysAt(RunStore& store, RunId run,
                                           std::span<const KeyPlace> places)
{
    Steps steps(store.database());
    if (engine::Status found = known(steps, store, run); !found) {
        return engine::fail(found.error());
    }
    std::optional<Statement> row = steps.prepare(
        "SELECT json_array_length(r.key), k.key, k.judged, k.denied FROM keys k JOIN rules r ON "
        "r.run = k.run AND r.rule = k.rule WHERE k.run = ?1 AND k.rule = ?2 AND k.id = ?3");
    std::vector<KeyRow> keys;
    for (const KeyPlace& place : places) {
        if (row) {
            row->reset();
            row->bind(run, place.rule, place.id);
        }
        if (steps.next(row)) {
            const auto values = static_cast<std::size_t>(row->integer(0));
            keys.push_back({place.rule, place.id, runs::splitKey(row->bytes(1), values),
                            row->count(2), row->count(3)});
        }
    }
    if (!steps.isFine()) {
        return engine::fail(steps.error());
    }
    return keys;
}

} // namespace storage
