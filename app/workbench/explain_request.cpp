#include "app/workbench/explain_request.h"

#include "app/workbench/rule_name.h"
#include "app/workbench/secrets.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace app {
namespace {

/// One entry of a rule's match (or of an override's), as a rule of its own in a probing plan.
struct Probe {
    std::size_t rule = 0; ///< in the plan that is explained
    const engine::Matcher* entry = nullptr;
};

std::string testText(const engine::Test& test)
{
    switch (test.kind) {
    case engine::TestKind::Absent:
        return "absent";
    case engine::TestKind::Range:
        if (test.high == std::numeric_limits<std::int64_t>::max()) {
            return fmt::format("at least {}", test.low);
        }
        if (test.low == std::numeric_limits<std::int64_t>::min()) {
            return fmt::format("at most {}", test.high);
        }
        return fmt::format("{}..{}", test.low, test.high);
    case engine::TestKind::Equals:
    case engine::TestKind::Glob:
    case engine::TestKind::Path:
    case engine::TestKind::Network:
        break;
    }
    return fmt::format("`{}`", test.text);
}

std::string entryText(const engine::Matcher& entry)
{
    std::string text;
    for (const engine::Test& test : entry.anyOf) {
        text += (text.empty() ? "" : " or ") + testText(test);
    }
    return text;
}

/// The block that holds the line, parsed for the given fields, cut down to the one request.
engine::Result<engine::RequestBatch> requestAt(storage::LogReader& reader, storage::LogBlock& block,
                                               std::uint64_t line)
{
    for (;;) {
        const engine::Result<bool> more = reader.readBlock(block);
        if (!more) {
            return engine::fail(more.error());
        }
        if (!*more) {
            return engine::fail("recording.changed",
                                fmt::format("line {} is not there any more", line),
                                "replay the log again");
        }
        if (line < block.firstLine || line >= block.firstLine + block.lineCount) {
            continue;
        }
        reader.parse(block);
        for (std::size_t i = 0; i < block.batch.requests.size(); ++i) {
            if (block.batch.requests[i].line == line) {
                engine::RequestBatch one;
                one.fieldCount = block.batch.fieldCount;
                one.requests.push_back(block.batch.requests[i]);
                one.values.assign(block.batch.valuesOf(i),
                                  block.batch.valuesOf(i) + one.fieldCount);
                return one;
            }
        }
    }
}

std::string valueIn(const engine::RequestBatch& one, const std::vector<std::string>& fields,
                    std::string_view name)
{
    for (std::size_t f = 0; f < fields.size(); ++f) {
        if (fields[f] == name && one.values[f].data() != nullptr) {
            return std::string(one.values[f]);
        }
    }
    return {};
}

/// A plan whose rules are the single entries of all matches: which of them apply to the request
/// says which entries hold.
engine::Plan probingPlan(const engine::Plan& plan, std::vector<Probe>& probes)
{
    engine::Plan probing;
    probing.name = plan.name;
    probing.attributes = plan.attributes;
    const auto add = [&](std::size_t rule, const engine::Match& match) {
        for (const engine::Matcher& entry : match) {
            engine::PlanRule probe;
            probe.rule = "probe";
            probe.match = {entry};
            probing.rules.push_back(std::move(probe));
            probes.push_back({rule, &entry});
        }
    };
    for (std::size_t r = 0; r < plan.rules.size(); ++r) {
        add(r, plan.rules[r].match);
        add(r, plan.rules[r].overrideMatch);
        add(r, plan.rules[r].classMatch);
    }
    return probing;
}

/// What the attributes of the request are, derived ones included: as facets of the probing intake.
class ProbeAnswer {
public:
    ProbeAnswer(const engine::Plan& plan, const SecretAttributes& secrets,
                std::vector<Probe> probes, const engine::Intake& intake,
                const engine::Arrival& arrival, const std::vector<std::string>& attributes)
        : m_plan(plan)
        , m_secrets(secrets)
        , m_probes(std::move(probes))
    {
        const engine::Profile& profile
            = intake.profile(0, arrival.ids()[intake.layout().profileAt(0)]);
        m_holds.resize(m_probes.size());
        for (const std::uint32_t probe : profile.rules[0]) {
            m_holds[probe] = true;
        }
        std::vector<std::string_view> values;
        facetsOf(intake, 0, attributes.size(), arrival, values);
        for (std::size_t i = 0; i < attributes.size(); ++i) {
            m_values.emplace_back(attributes[i], std::string(values[i]));
        }
    }

    /// Why the rule's match does not hold, or "".
    [[nodiscard]] std::string unmet(std::size_t rule) const
    {
        for (std::size_t i = 0; i < m_probes.size(); ++i) {
            if (m_probes[i].rule == rule && !m_holds[i]) {
                return unmetText(*m_probes[i].entry);
            }
        }
        return {};
    }

    /// The first attribute of the rule's key that the request lacks, or "".
    [[nodiscard]] std::string missing(std::size_t rule) const
    {
        for (const std::string& attribute : m_plan.rules[rule].key) {
            if (valueOf(attribute).empty()) {
                return attribute;
            }
        }
        return {};
    }

    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& values() const
    {
        return m_values;
    }

private:
    [[nodiscard]] std::string valueOf(std::string_view attribute) const
    {
        for (const auto& [name, value] : m_values) {
            if (name == attribute) {
                return value;
            }
        }
        return {};
    }

    [[nodiscard]] std::string unmetText(const engine::Matcher& entry) const
    {
        const std::string value = valueOf(entry.attribute);
        const std::string wanted = entryText(entry);
        if (value.empty()) {
            return fmt::format("{} is missing, {}{} is asked for", entry.attribute,
                               entry.negated ? "anything but " : "", wanted);
        }
        return fmt::format("{} `{}` is {}{}", entry.attribute,
                           m_secrets.shown(entry.attribute, value), entry.negated ? "" : "not ",
                           wanted);
    }

    const engine::Plan& m_plan;
    const SecretAttributes& m_secrets;
    std::vector<Probe> m_probes;
    std::vector<bool> m_holds;
    std::vector<std::pair<std::string, std::string>> m_values;
};

/// All attributes that the policy speaks of.
std::vector<std::string> attributesOf(const engine::Plan& plan)
{
    std::vector<std::string> names;
    const auto add = [&names](const std::string& name) {
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            names.push_back(name);
        }
    };
    for (const engine::PlanRule& rule : plan.rules) {
        for (const engine::Match* match : {&rule.match, &rule.overrideMatch, &rule.classMatch}) {
            for (const engine::Matcher& entry : *match) {
                add(entry.attribute);
            }
        }
        for (const std::string& attribute : rule.key) {
            add(attribute);
        }
    }
    return names;
}

/// The class of the same rule that took the request before this one could.
const std::string* classOver(const engine::PlanRule& rule, const Explanation& explanation)
{
    for (const ExplainedRule& judged : explanation.rules) {
        if (judged.rule.rule == rule.rule && judged.rule.overrideName == rule.overrideName
            && judged.rule.className) {
            return &*judged.rule.className;
        }
    }
    return nullptr;
}

void addUninvolved(const engine::Plan& plan, const ProbeAnswer& answer, Explanation& explanation)
{
    const bool rejected = explanation.verdict.outcome == engine::Outcome::Rejected;
    for (std::size_t r = 0; r < plan.rules.size(); ++r) {
        const bool judged
            = std::any_of(explanation.rules.begin(), explanation.rules.end(),
                          [r](const ExplainedRule& rule) { return rule.decision.rule == r; });
        if (judged) {
            continue;
        }
        const engine::PlanRule& rule = plan.rules[r];
        std::string reason = answer.unmet(r);
        if (!explanation.exemption.empty()) {
            reason = fmt::format("the request is exempt as {}", explanation.exemption);
        } else if (reason.empty() && !answer.missing(r).empty()) {
            reason = fmt::format("{} is missing, which its key needs", answer.missing(r));
        } else if (reason.empty() && rejected
                   && static_cast<std::size_t>(rule.tier) >= explanation.verdict.tiersJudged) {
            reason = fmt::format("{} in tier {} had rejected the request",
                                 fullName(plan.rules[explanation.verdict.rule]),
                                 engine::nameOf(plan.rules[explanation.verdict.rule].tier));
        } else if (const std::string* taken
                   = reason.empty() ? classOver(rule, explanation) : nullptr) {
            reason = fmt::format("it is in class {} of the rule", *taken);
        } else if (reason.empty() && rule.unless.size() > rule.stateBefore) {
            reason = "an earlier override of the rule holds";
        } else if (reason.empty()) {
            reason = "the duration is missing, which a concurrency rule needs";
        }
        explanation.uninvolved.push_back({rule, std::move(reason)});
    }
}

} // namespace

engine::Status describeRequest(const engine::Plan& plan, const LogChoice& log,
                               Explanation& explanation)
{
    auto reader = openLog(log, nullptr);
    if (!reader) {
        return engine::fail(reader.error());
    }
    std::vector<Probe> probes;
    const engine::Plan probing = probingPlan(plan, probes);
    engine::IntakeOptions asks;
    asks.facets = attributesOf(plan);
    auto intake = engine::Intake::make({&probing}, asks);
    if (!intake) {
        return engine::fail(intake.error());
    }
    // The intake's fields first, so that its batch is the front of what is read.
    std::vector<std::string> fields = (*intake)->fields();
    for (const std::string& name : (*reader)->allFields()) {
        if (std::find(fields.begin(), fields.end(), name) == fields.end()) {
            fields.push_back(name);
        }
    }
    (*reader)->selectFields(fields);
    storage::LogBlock block;
    engine::Result<engine::RequestBatch> one = requestAt(**reader, block, explanation.line);
    if (!one) {
        return engine::fail(one.error());
    }
    explanation.stampNs = one->requests.front().stampNs;
    for (const std::string& name : (*reader)->allFields()) {
        if (std::string value = valueIn(*one, fields, name); !value.empty()) {
            explanation.fields.emplace_back(name, std::move(value));
        }
    }

    engine::RequestBatch probed = *one;
    probed.fieldCount = (*intake)->fields().size();
    probed.values.resize(probed.fieldCount);
    (*intake)->chooseWho(probed);
    const auto prepared = (*intake)->makePrepared();
    (*intake)->prepare(probed, *prepared);
    explanation.secrets.add({log});
    explanation.secrets.add(plan);
    (*intake)->intern(*prepared, [&](engine::Arrival& arrival, const engine::Request&) {
        const ProbeAnswer answer(plan, explanation.secrets, probes, **intake, arrival, asks.facets);
        for (const auto& [name, value] : answer.values()) {
            const bool derived
                = std::any_of(plan.attributes.begin(), plan.attributes.end(),
                              [&name = name](const auto& d) { return d.name == name; });
            if (derived && !value.empty()) {
                explanation.fields.emplace_back(name, value);
            }
        }
        addUninvolved(plan, answer, explanation);
    });
    return engine::Done {};
}

} // namespace app
