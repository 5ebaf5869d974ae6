#include "policies/adjust.h"

#include "policies/language/build.h"
#include "policies/language/words.h"
#include "policies/yaml/parse.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <optional>

namespace policies {
namespace {

constexpr std::ptrdiff_t kMostDots = 100; ///< names may have some; each nests a level of the tree

struct Target {
    yaml::Node* map = nullptr; ///< the rule's or the override's fields
    std::string_view rest; ///< what is left of the path: the field
};

std::string_view nameOf(const yaml::Node& map)
{
    const yaml::Item* name = yaml::find(map, "name");
    return name == nullptr ? std::string_view {} : std::string_view(name->value.text);
}

/// The item of a list whose name, with a dot behind it, begins the path; the longest such name.
Target targetIn(yaml::Node& list, std::string_view path)
{
    Target target;
    std::size_t longest = 0;
    for (yaml::Item& item : list.items) {
        const std::string_view name = nameOf(item.value);
        const bool isPrefix = !name.empty() && path.size() > name.size()
            && path.substr(0, name.size()) == name && path[name.size()] == '.';
        if (isPrefix && name.size() > longest) {
            longest = name.size();
            target = {&item.value, path.substr(name.size() + 1)};
        }
    }
    return target;
}

class Adjuster {
public:
    explicit Adjuster(const Policy& policy)
        : m_policy(policy)
        , m_document(*policy.document)
        , m_names(policy.adjustments)
    {
    }

    engine::Status set(const std::string& text)
    {
        const std::size_t equals = equalsIn(text);
        const std::string_view path
            = std::string_view(text).substr(0, std::min(equals, text.size()));
        if (equals == std::string::npos || path.find('.') == std::string_view::npos
            || equals + 1 == text.size()) {
            return engine::fail("policy.adjust-form",
                                fmt::format("`--set {}` is not of the form RULE.FIELD=VALUE", text),
                                "write for example `--set search.rate=20/min`");
        }
        if (std::count(path.begin(), path.end(), '.') > kMostDots) {
            return engine::fail(
                "policy.adjust-form",
                fmt::format("`{}` in `--set` goes deeper than any policy", language::shown(path)),
                "write for example `--set search.rate=20/min`");
        }
        const Target target = find(path);
        if (target.map == nullptr || target.rest.empty()) {
            return unknownRule(path.substr(0, path.find('.')), "--set " + text);
        }
        m_names.push_back("--set " + text);
        std::optional<yaml::Node> value = valueOf(std::string_view(text).substr(equals + 1));
        if (value) {
            put(*target.map, target.rest, std::move(*value));
        }
        return engine::Done {};
    }

    engine::Status mode(const std::string& text)
    {
        static constexpr std::array<std::string_view, 3> kModes {"enforce", "shadow", "off"};
        const std::size_t equals = text.rfind('=');
        const std::string word = equals == std::string::npos ? "" : text.substr(equals + 1);
        if (word.empty() || equals == 0) {
            return engine::fail("policy.adjust-form",
                                fmt::format("`--mode {}` is not of the form RULE=MODE", text),
                                "write for example `--mode search=shadow` or `--mode all=enforce`");
        }
        if (std::find(kModes.begin(), kModes.end(), word) == kModes.end()) {
            return engine::fail("policy.adjust-form",
                                fmt::format("`{}` in `--mode {}` is no mode", word, text),
                                language::suggest(word, kModes, "write"));
        }
        const std::string_view rule = std::string_view(text).substr(0, equals);
        m_names.push_back("--mode " + text);
        const std::optional<yaml::Node> value = valueOf(word);
        bool isFound = rule == "all";
        eachRule([&](yaml::Node& map) {
            if (rule == "all" || nameOf(map) == rule) {
                isFound = true;
                put(map, "mode", *value);
                setOverrides(map, *value);
            }
        });
        return isFound ? engine::Status(engine::Done {}) : unknownRule(rule, "--mode " + text);
    }

    Checked finish()
    {
        language::Origin origin;
        origin.file = m_policy.file;
        origin.text = m_policy.text;
        origin.adjustments = std::move(m_names);
        origin.found = std::move(m_found);
        return language::build(std::make_shared<const yaml::Document>(std::move(m_document)),
                               std::move(origin));
    }

private:
    template <class Function> void eachRule(const Function& function)
    {
        yaml::Item* tiers = yaml::find(m_document.root, "tiers");
        for (yaml::Item& tier : tiers->value.items) {
            for (yaml::Item& rule : tier.value.items) {
                function(rule.value);
            }
        }
    }

    Target find(std::string_view path)
    {
        Target best;
        yaml::Item* tiers = yaml::find(m_document.root, "tiers");
        for (yaml::Item& tier : tiers->value.items) {
            const Target target = targetIn(tier.value, path);
            if (target.map != nullptr
                && (best.map == nullptr || target.rest.size() < best.rest.size())) {
                best = target;
            }
        }
        if (best.map == nullptr) {
            return best;
        }
        for (const char* list : {"overrides", "classes"}) {
            yaml::Item* parts = yaml::find(*best.map, list);
            const Target inner = parts == nullptr ? Target {} : targetIn(parts->value, best.rest);
            if (inner.map != nullptr) {
                return inner;
            }
        }
        return best;
    }

    /// The `=` behind the path: names may have some, and the longest name that fits holds.
    std::size_t equalsIn(std::string_view text)
    {
        std::size_t best = text.find('=');
        std::size_t longest = 0;
        for (std::size_t at = best; at != std::string_view::npos; at = text.find('=', at + 1)) {
            const Target target = find(text.substr(0, at));
            const std::size_t length = target.map == nullptr ? 0 : at - target.rest.size();
            if (length > longest) {
                longest = length;
                best = at;
            }
        }
        return best;
    }

    /// The text as a value of YAML; what is wrong with it is kept for the report.
    std::optional<yaml::Node> valueOf(std::string_view text)
    {
        const yaml::Source source(m_names.back(), text, static_cast<std::uint32_t>(m_names.size()));
        std::vector<engine::Diagnostic> found = yaml::checkBytes(source);
        std::optional<yaml::Node> value;
        if (found.empty()) {
            yaml::Parsed parsed = yaml::parse(source);
            found = std::move(parsed.diagnostics);
            if (parsed.document) {
                value = std::move(parsed.document->root);
            } else if (found.size() == 1 && found.front().code == "policy.empty") {
                found.clear(); // `~`: the check of the whole says what is missing where
                value.emplace();
                value->at = source.span(0, text.size());
            }
        }
        m_found.insert(m_found.end(), found.begin(), found.end());
        return value;
    }

    void put(yaml::Node& map, std::string_view path, yaml::Node value)
    {
        const std::size_t dot = path.find('.');
        const std::string_view field = path.substr(0, dot);
        yaml::Item* item = yaml::find(map, field);
        if (item == nullptr) {
            yaml::Item added;
            added.key.text = std::string(field);
            added.key.at.source = static_cast<std::uint32_t>(m_names.size());
            added.at = added.key.at;
            map.items.push_back(std::move(added));
            item = &map.items.back();
        }
        if (dot == std::string_view::npos) {
            item->value = std::move(value);
            return;
        }
        if (item->value.kind != yaml::Kind::Map) {
            item->value = yaml::Node {};
            item->value.kind = yaml::Kind::Map;
            item->value.at = value.at;
        }
        put(item->value, path.substr(dot + 1), std::move(value));
    }

    void setOverrides(yaml::Node& rule, const yaml::Node& value)
    {
        yaml::Item* overrides = yaml::find(rule, "overrides");
        if (overrides == nullptr) {
            return;
        }
        for (yaml::Item& item : overrides->value.items) {
            if (yaml::Item* mode = yaml::find(item.value, "mode")) {
                mode->value = value;
            }
        }
    }

    engine::Failure unknownRule(std::string_view rule, const std::string& option)
    {
        std::vector<std::string_view> names;
        for (const std::vector<Rule>& rules : m_policy.tiers) {
            for (const Rule& one : rules) {
                names.push_back(one.name.value);
            }
        }
        const std::string_view near = language::nearest(rule, names);
        std::string help = "name one of the policy's rules";
        if (!near.empty()) {
            help = fmt::format("did you mean `{}`?", near);
        } else if (!names.empty() && names.size() <= 20) {
            help = fmt::format("the rules are {}", language::listOf(names));
        }
        return engine::fail("policy.adjust-rule",
                            fmt::format("`{}` in `{}` is no rule of the policy `{}`", rule, option,
                                        m_policy.name.value),
                            std::move(help));
    }

    const Policy& m_policy;
    yaml::Document m_document;
    std::vector<std::string> m_names;
    std::vector<engine::Diagnostic> m_found;
};

} // namespace

engine::Result<Checked> adjust(const Policy& policy, const Adjustments& adjustments)
{
    Adjuster adjuster(policy);
    for (const std::string& text : adjustments.sets) {
        if (const engine::Status status = adjuster.set(text); !status) {
            return engine::Failure {status.error()};
        }
    }
    for (const std::string& text : adjustments.modes) {
        if (const engine::Status status = adjuster.mode(text); !status) {
            return engine::Failure {status.error()};
        }
    }
    return adjuster.finish();
}

} // namespace policies
