#include "engine/match_order.h"
#include "policies/advice/checks.h"
#include "policies/advice/words.h"
#include "policies/language/match.h"
#include "policies/language/percent.h"
#include "policies/language/slot_limits.h"
#include "policies/language/words.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <optional>

/// adaptive.*, shedder.*: limits that learn, and classes that are shed.
namespace policies::advice {
namespace {

using engine::Algorithm;

void checkGuess(const SurveyedRule& rule, const LogFacts* log, Findings& findings)
{
    const Given<std::int64_t>& assumed = rule.rule->assumeDurationNs;
    if (!assumed || (log != nullptr && log->withDuration == log->requests)) {
        return;
    }
    std::string message = fmt::format("{} learns from {} where no duration is recorded",
                                      rule.named(), inWords(assumed->value));
    if (log != nullptr) {
        message += fmt::format(": {} of the log's requests",
                               share(log->requests - log->withDuration, log->requests));
    }
    findings.add("adaptive.assumed-duration", assumed->at, *rule.rule, std::move(message));
}

void checkFixed(const SurveyedRule& rule, Findings& findings)
{
    const engine::Limit& limit = rule.parts.front().limit;
    if (limit.minimum != limit.maximum) {
        return;
    }
    const Given<std::int64_t>& given = rule.rule->maximum ? rule.rule->maximum : rule.rule->minimum;
    findings.add("adaptive.fixed", given->at, *rule.rule,
                 fmt::format("{} has a limit of {} whatever it learns", rule.named(),
                             grouped(limit.maximum)));
}

/// How many requests it may leave in flight, of the rule's own capacity.
std::int64_t slotsIn(const SurveyedRule& rule, const ShedClass& shed)
{
    engine::Limit limit = rule.parts.back().limit;
    limit.upTo = shed.upTo.value;
    return engine::slotsOf(limit);
}

/// "80% (8 of 10 in flight)".
std::string slotsOf(const SurveyedRule& rule, const ShedClass& shed)
{
    return fmt::format("{} ({} of {} in flight)", language::percentText(shed.upTo.value),
                       grouped(slotsIn(rule, shed)), grouped(rule.parts.back().limit.inFlight));
}

std::string named(const SurveyedRule& rule, const ShedClass& shed)
{
    return fmt::format("class `{}` of {}", language::shown(shed.name.value), rule.named());
}

void checkShare(const SurveyedRule& rule, const ShedClass& shed, Findings& findings)
{
    const bool isWhole = shed.upTo.value == 100;
    const bool isNothing = rule.parts.back().limit.inFlight > 0 && slotsIn(rule, shed) == 0;
    if (!isWhole && !isNothing) {
        return;
    }
    findings.add("shedder.share", shed.upTo.at, *rule.rule,
                 fmt::format("{} may fill {}: {}", named(rule, shed), slotsOf(rule, shed),
                             isWhole ? "it is shed no sooner than requests of no class"
                                     : "none of its requests is ever admitted"));
}

/// A class above another one, with a smaller share.
enum class Above : std::uint8_t {
    Apart, ///< no request is of both, or classes above both take those that are
    Exception, ///< it takes some of the other's requests, which could not be written below
    Overlapping, ///< neither takes all of the other, and nothing proves that no request is of both
};

/// Classes of a fleet against those above them that may fill less.
class Fleet {
public:
    Fleet(const SurveyedRule& rule, Findings& findings)
        : m_rule(rule)
        , m_classes(classesOf(*rule.rule))
        , m_findings(findings)
    {
        for (const ShedClass& shed : m_classes) {
            checkShare(m_rule, shed, m_findings);
            m_matches.push_back(language::matchOf(shed.match));
            m_own.push_back(engine::both(m_matches.back(), rule.match));
        }
    }

    void check()
    {
        const std::size_t compared = std::min(m_classes.size(), kMostClasses);
        for (std::size_t i = 0; i < compared; ++i) {
            checkAgainstThoseAbove(i);
        }
        if (m_classes.size() > compared) {
            checkAgainstTheLeast();
            m_findings.gaveUp("shedder.order", *m_rule.rule);
            m_findings.gaveUp("shedder.overlap", *m_rule.rule);
        }
    }

private:
    static constexpr std::size_t kMostClasses = 64; ///< each is compared with each

    void checkAgainstThoseAbove(std::size_t i)
    {
        std::vector<const ShedClass*> smaller;
        std::vector<const ShedClass*> overlapping;
        for (std::size_t j = 0; j < i; ++j) {
            const ShedClass& above = m_classes[j];
            const Above how
                = above.upTo.value < m_classes[i].upTo.value ? relation(j, i) : Above::Exception;
            if (how != Above::Exception) {
                smaller.push_back(&above);
            }
            if (how == Above::Overlapping
                && slotsIn(m_rule, above) < slotsIn(m_rule, m_classes[i])) {
                overlapping.push_back(&above);
            }
        }
        if (!overlapping.empty()) {
            tellOverlap(overlapping, m_classes[i]);
        } else if (!smaller.empty()) {
            tellOrder(leastOf(smaller), m_classes[i]);
        }
    }

    /// Each of the classes that are not compared with each other against the one of those above it
    /// that may fill least.
    void checkAgainstTheLeast()
    {
        std::size_t least = 0;
        for (std::size_t i = 1; i < m_classes.size(); ++i) {
            const int upTo = m_classes[i].upTo.value;
            if (upTo <= m_classes[least].upTo.value) {
                least = i;
            } else if (i >= kMostClasses && !isException(least, i)) {
                tellOrder(m_classes[least], m_classes[i]);
            }
        }
    }

    [[nodiscard]] Above relation(std::size_t above, std::size_t below) const
    {
        if (!m_own[above] || !m_own[below] || engine::covers(m_matches[above], *m_own[below])) {
            return Above::Apart; // where one is of no use, rule.never-matches tells it
        }
        if (isException(above, below)) {
            return Above::Exception;
        }
        const std::optional<engine::Match> both = engine::both(*m_own[above], *m_own[below]);
        return !both || isTaken(*both, above) ? Above::Apart : Above::Overlapping;
    }

    [[nodiscard]] bool isException(std::size_t above, std::size_t below) const
    {
        return m_own[above] && m_own[below] && engine::covers(m_matches[below], *m_own[above])
            && !engine::covers(m_matches[above], *m_own[below]);
    }

    /// Do the first `many` classes take all of it? One of them does, or for each value that it
    /// lists of an attribute one of them.
    [[nodiscard]] bool isTaken(const engine::Match& match, std::size_t many) const
    {
        return isTakenByOne(match, many)
            || std::any_of(match.begin(), match.end(), [&](const engine::Matcher& entry) {
                   return isTakenByValue(match, entry, many);
               });
    }

    [[nodiscard]] bool isTakenByValue(const engine::Match& match, const engine::Matcher& entry,
                                      std::size_t many) const
    {
        if (entry.negated || entry.anyOf.size() > kMostClasses) {
            return false;
        }
        engine::Match part;
        std::copy_if(match.begin(), match.end(), std::back_inserter(part),
                     [&entry](const engine::Matcher& other) {
                         return other.negated || other.attribute != entry.attribute;
                     });
        part.push_back({entry.attribute, false, {}});
        return std::all_of(entry.anyOf.begin(), entry.anyOf.end(), [&](const engine::Test& test) {
            part.back().anyOf = {test};
            return isTakenByOne(part, many);
        });
    }

    [[nodiscard]] bool isTakenByOne(const engine::Match& match, std::size_t many) const
    {
        const auto end = m_matches.begin() + static_cast<std::ptrdiff_t>(many);
        return std::any_of(m_matches.begin(), end, [&match](const engine::Match& earlier) {
            return engine::covers(earlier, match);
        });
    }

    static const ShedClass& leastOf(const std::vector<const ShedClass*>& classes)
    {
        return **std::min_element(classes.begin(), classes.end(),
                                  [](const ShedClass* one, const ShedClass* other) {
                                      return one->upTo.value < other->upTo.value;
                                  });
    }

    void tellOverlap(const std::vector<const ShedClass*>& above, const ShedClass& shed)
    {
        const ShedClass& least = leastOf(above);
        const auto others = static_cast<std::int64_t>(above.size()) - 1;
        m_findings.add(
            "shedder.overlap", shed.upTo.at, *m_rule.rule,
            fmt::format(
                "{} may fill {}, but any of its requests that `{}`{} above it takes belongs "
                "there and may fill {} {}",
                named(m_rule, shed), slotsOf(m_rule, shed), language::shown(least.name.value),
                others == 0 ? std::string()
                            : " or " + counted(others, "more class", "more classes"),
                others == 0 ? "only" : "as little as", slotsOf(m_rule, least)),
            fmt::format("write `{}` above `{}`, or keep its requests out of what {}",
                        language::shown(shed.name.value),
                        language::shown(above.front()->name.value),
                        others == 0 ? "that one matches" : "those classes match"));
    }

    void tellOrder(const ShedClass& above, const ShedClass& shed)
    {
        m_findings.add("shedder.order", shed.upTo.at, *m_rule.rule,
                       fmt::format("{} may fill {}, and `{}` above it only {}", named(m_rule, shed),
                                   slotsOf(m_rule, shed), language::shown(above.name.value),
                                   language::percentText(above.upTo.value)));
    }

    const SurveyedRule& m_rule;
    const std::vector<ShedClass>& m_classes;
    Findings& m_findings;
    std::vector<engine::Match> m_matches; ///< of each class
    std::vector<std::optional<engine::Match>>
        m_own; ///< of each class, with the rule's; none: of no use
};

void checkUtilisation(const SurveyedRule& rule, Findings& findings)
{
    for (const ShedClass& shed : classesOf(*rule.rule)) {
        if (shed.upTo.value != 100) {
            findings.add("shedder.unused-share", shed.upTo.at, *rule.rule,
                         fmt::format("`up_to: {}` of {} has no effect under strategy utilisation",
                                     language::percentText(shed.upTo.value), named(rule, shed)));
        }
    }
}

void checkClasses(const SurveyedRule& rule, Findings& findings)
{
    if (classesOf(*rule.rule).empty()) {
        findings.add("shedder.no-classes", rule.rule->algorithm.at, *rule.rule,
                     fmt::format("{} has no classes: it {}", rule.named(),
                                 language::isUtilisation(*rule.rule) ? "sheds nothing"
                                                                     : "sheds all requests alike"));
    } else if (language::isUtilisation(*rule.rule)) {
        checkUtilisation(rule, findings);
    } else {
        Fleet(rule, findings).check();
    }
}

} // namespace

void checkShedding(const Survey& survey, const LogFacts* log, Findings& findings)
{
    for (const SurveyedRule& rule : survey.rules) {
        const Algorithm algorithm = rule.rule->algorithm.value;
        if (rule.isOff()) {
            continue;
        }
        if (algorithm == Algorithm::AdaptiveConcurrency) {
            checkGuess(rule, log, findings);
            checkFixed(rule, findings);
        } else if (algorithm == Algorithm::LoadShedder) {
            checkClasses(rule, findings);
        }
    }
}

} // namespace policies::advice
