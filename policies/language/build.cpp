#include "policies/language/build.h"

#include "policies/language/attributes.h"
#include "policies/language/fields.h"
#include "policies/language/names.h"
#include "policies/language/plan_names.h"
#include "policies/language/response_match.h"
#include "policies/language/rules.h"
#include "policies/language/slot_fields.h"
#include "policies/language/words.h"

#include <array>

namespace policies::language {
namespace {

constexpr std::array<std::string_view, 7> kTopFields {
    "weir", "name", "description", "counting", "exempt", "attributes", "tiers"};
constexpr std::array<std::string_view, 4> kTiers {"edge", "gateway", "endpoint", "tenant"};
constexpr std::array<std::pair<std::string_view, engine::Counting>, 2> kCountings {{
    {"per_tier", engine::Counting::PerTier},
    {"all_or_nothing", engine::Counting::AllOrNothing},
}};

bool isPolicyName(std::string_view name)
{
    return !name.empty()
        && name.find_first_not_of(
               "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        == std::string_view::npos;
}

class TopReader {
public:
    TopReader(Report& report, const yaml::Node& root, Policy& policy)
        : m_report(report)
        , m_fields(report, root, "the policy", kTopFields)
        , m_policy(policy)
    {
    }

    void read()
    {
        if (!m_fields.isMap()) {
            return;
        }
        readVersion();
        readName();
        m_policy.description = m_fields.text("description");
        m_policy.counting = m_fields.choice("counting", kCountings);
        readExemptions();
        if (const yaml::Item* attributes = m_fields.item("attributes")) {
            m_policy.attributes = readAttributes(m_report, *attributes);
        }
        readTiers();
        checkResponseMatches(m_report, m_policy);
    }

private:
    void readVersion()
    {
        m_fields.require("weir", "write `weir: 1` as the first line");
        const yaml::Item* item = m_fields.scalar("weir", "1");
        if (item != nullptr && item->value.text != "1") {
            m_report.error("policy.version", item->value.at,
                           fmt::format("version `{}` of the language is not known here",
                                       shown(item->value.text)),
                           "write `weir: 1`");
        }
    }

    void readName()
    {
        m_fields.require("name", "write `name: WORD`, as `name: public-api`");
        auto name = m_fields.text("name");
        if (!name) {
            return;
        }
        if (!isPolicyName(name->value)) {
            m_report.error("policy.name", name->at,
                           fmt::format("`{}` cannot be the name of a policy", shown(name->value)),
                           "write letters, digits, `-` and `_` only");
        }
        m_policy.name = std::move(*name);
    }

    void readExemptions()
    {
        const yaml::Item* item = m_fields.item("exempt");
        if (item == nullptr) {
            return;
        }
        if (item->value.kind != yaml::Kind::Sequence) {
            reportType(m_report, item->value, "`exempt`", "a list",
                       "write `- name: ...` and `match: ...` on lines of their own");
            return;
        }
        Names names(m_report, "exemption");
        for (const yaml::Item& entry : item->value.items) {
            if (entry.value.unusable) {
                continue;
            }
            if (auto exempt = readExempt(m_report, entry)) {
                names.add(exempt->name);
                m_policy.exempt.push_back(std::move(*exempt));
            }
        }
    }

    void readTiers()
    {
        m_fields.require("tiers",
                         "write `tiers:` with `edge`, `gateway`, `endpoint` or `tenant` and a list "
                         "of rules in each");
        const yaml::Item* item = m_fields.item("tiers");
        if (item == nullptr) {
            return;
        }
        if (item->value.kind != yaml::Kind::Map) {
            reportType(
                m_report, item->value, "`tiers`", "a map",
                "write `edge:`, `gateway:`, `endpoint:` or `tenant:` above each list of rules");
            return;
        }
        for (const yaml::Item& entry : item->value.items) {
            readTier(entry);
        }
        // Names count in the order of tiers, but are compared over all of them.
        Names names(m_report, "rule");
        for (const std::vector<Rule>& rules : m_policy.tiers) {
            for (const Rule& rule : rules) {
                names.add(rule.name);
            }
        }
        checkRuleNames(m_report, m_policy);
        checkTightening(m_report, m_policy);
    }

    static std::string tierHelp(std::string_view name)
    {
        const std::string plan = planIn(name, usualPlans());
        const std::string help = suggest(name, kTiers, "write");
        return plan.empty()
            ? help
            : fmt::format("{}; plans are matched by an attribute: `match: {{ plan: {} }}`", help,
                          plan);
    }

    void readTier(const yaml::Item& entry)
    {
        const auto tier = engine::tierNamed(entry.key.text);
        if (!tier) {
            m_report.error("policy.unknown-tier", entry.key.at,
                           fmt::format("`{}` is no tier", shown(entry.key.text)),
                           tierHelp(entry.key.text));
            return;
        }
        const std::string subject = fmt::format("tier `{}`", entry.key.text);
        if (entry.value.kind == yaml::Kind::Null) {
            reportNoValue(m_report, entry, subject);
            return;
        }
        if (entry.value.kind != yaml::Kind::Sequence) {
            reportType(m_report, entry.value, subject, "a list of rules",
                       "write a `- ` before each rule's `name`");
            return;
        }
        auto& rules = m_policy.tiers[static_cast<std::size_t>(*tier)];
        for (const yaml::Item& item : entry.value.items) {
            if (item.value.unusable) {
                continue;
            }
            if (auto rule = readRule(m_report, item, *tier)) {
                rules.push_back(std::move(*rule));
            }
        }
    }

    Report& m_report;
    Fields m_fields;
    Policy& m_policy;
};

} // namespace

Checked build(std::shared_ptr<const yaml::Document> document, Origin origin)
{
    Report report(origin.file, origin.adjustments);
    for (engine::Diagnostic& diagnostic : origin.found) {
        report.add(std::move(diagnostic));
    }
    Policy policy;
    if (document) {
        TopReader(report, document->root, policy).read();
    }
    Checked checked;
    if (document) {
        policy.file = std::move(origin.file);
        policy.text = std::move(origin.text);
        policy.adjustments = std::move(origin.adjustments);
        policy.document = std::move(document);
        (report.hasErrors() ? checked.draft : checked.policy) = std::move(policy);
    }
    checked.diagnostics = report.take();
    return checked;
}

} // namespace policies::language
