#include "app/console/author/rule_form.h"

#include "app/console/author/form_words.h"
#include "app/console/author/key_edit.h"
#include "app/console/author/match_editor.h"
#include "app/console/author/number_edit.h"
#include "app/console/author/rule_cards.h"
#include "app/console/author/sentence_box.h"
#include "app/console/author/span_edit.h"
#include "app/console/frame/segments.h"
#include "app/console/frame/values.h"
#include "app/workbench/rule_edits.h"
#include "policies/limit_words.h"
#include "policies/plan_rule.h"
#include "policies/rule_fields.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace app::console {

namespace {

constexpr std::array<std::string_view, 5> kMoreFields {"cost", "tighten", "status",
                                                       "on_store_failure", "note"};
/// What an override may say in place of its rule, of the fields that have an edit.
constexpr std::array<std::string_view, 9> kOfOverrides {
    "rate", "burst", "tolerance", "queue", "delay_after", "in_flight", "capacity", "cost", "note"};

template <std::size_t N>
bool isOneOf(const std::array<std::string_view, N>& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// The numbers that `burst` stands for where it is not given: as many as the rate, or the rule's.
std::optional<std::int64_t> usualBurst(const policies::Rule& rule, bool isOverride)
{
    const auto plan = policies::planRule(rule);
    const bool isKnown
        = plan && rule.algorithm.value == engine::Algorithm::TokenBucket && rule.values.rate;
    const bool isOurs = isOverride && rule.values.burst;
    return plan && (isKnown || isOurs) ? std::optional(plan->limit.burst) : std::nullopt;
}

/// Of a rejection, given or not.
int statusOf(const policies::Rule& rule)
{
    const auto plan = policies::planRule(rule);
    return plan ? plan->status : engine::PlanRule {}.status;
}

} // namespace

const policies::Rule* RuleForm::current() const
{
    return m_rule.empty() ? nullptr : m_desk.rule(m_rule);
}

const policies::Override* RuleForm::override(const policies::Rule& rule) const
{
    for (const policies::Override& one : rule.overrides) {
        if (!m_override.empty() && one.name.value == m_override) {
            return &one;
        }
    }
    return nullptr;
}

policies::Part RuleForm::part() const
{
    return m_override.empty() ? policies::Part::ofRule(m_rule)
                              : policies::Part::ofOverride(m_rule, m_override);
}

QString RuleForm::sentence() const
{
    return m_sentence->plainText();
}

ValueEdit* RuleForm::edit(std::string_view field) const
{
    const auto row = m_rows.find(std::string(field));
    return row == m_rows.end() || row->second.holder->isHidden() ? nullptr : row->second.edit;
}

QString RuleForm::errorOf(std::string_view field) const
{
    const auto row = m_rows.find(std::string(field));
    return row == m_rows.end() ? m_problem->text() : row->second.error->text();
}

void RuleForm::showRule(const std::string& rule)
{
    if (rule != m_rule) {
        QWidget* const focus = QApplication::focusWidget();
        if (focus != nullptr && m_content->isAncestorOf(focus)) {
            m_isLeaving = true;
            focus->clearFocus(); // what was being typed is this rule's, not the next one's
            m_isLeaving = false;
        }
        m_override.clear();
        m_refused.clear();
        m_match->forget();
        m_match->hide();
        m_editMatch->setChecked(false);
    }
    m_rule = rule;
    refresh();
}

void RuleForm::refresh()
{
    const policies::Rule* const rule = current();
    m_content->setVisible(rule != nullptr);
    m_empty->setVisible(rule == nullptr);
    m_content->setEnabled(m_desk.isReadable());
    if (rule == nullptr) {
        setCaption({});
        return;
    }
    if (override(*rule) == nullptr) {
        m_override.clear();
    }
    const Lines lines = linesOf(*m_desk.policy(), rule->at);
    setCaption(
        QStringLiteral("%1, lines %2\u2013%3")
            .arg(shown(m_rule, 80), QString::number(lines.first), QString::number(lines.last)));
    showParts(*rule);
    showWords(*rule);
    showFields(*rule);
    showMore(*rule);
    showErrors(*rule);
    markFocused();
}

void RuleForm::showParts(const policies::Rule& rule)
{
    m_parts->clear();
    m_parts->addItem(QStringLiteral("all that it matches"), QByteArray());
    for (const policies::Override& one : rule.overrides) {
        m_parts->addItem(QStringLiteral("override %1").arg(shown(one.name.value, 80)),
                         QByteArray::fromStdString(one.name.value));
        if (one.name.value == m_override) {
            m_parts->setCurrentIndex(m_parts->count() - 1);
        }
    }
    setRowShown("overrides", !rule.overrides.empty());
}

void RuleForm::showWords(const policies::Rule& rule)
{
    const policies::Override* const own = override(rule);
    const auto plan = policies::planRule(rule, own);
    if (!plan || !policies::isComplete(rule)) {
        m_sentence->say(QStringLiteral("This rule has no limit yet."),
                        QStringLiteral("What it lacks is said below."));
        return;
    }
    const bool allCount = policies::countsAllItAdmits(*m_desk.policy(), rule);
    const policies::LimitWords limit = policies::limitWords(*plan, allCount);
    m_sentence->say(shown(limit.sentence), shown(limit.more + policies::slotWords(rule, own)));
}

void RuleForm::showFields(const policies::Rule& rule)
{
    const policies::Override* const own = override(rule);
    const bool isOverride = own != nullptr;
    const policies::Values& values = isOverride ? own->values : rule.values;
    const std::string& name = isOverride ? own->name.value : rule.name.value;
    if (!m_name->isModified()) {
        setRaw(*m_name, name);
    }
    const policies::MatchList* const match = isOverride ? &own->match
        : rule.match                                    ? &*rule.match
                                                        : nullptr;
    engine::Match meaning;
    for (const policies::MatchEntry& entry :
         match == nullptr ? std::vector<policies::MatchEntry> {} : match->entries) {
        meaning.push_back({entry.attribute.text, entry.negated, entry.tests});
    }
    m_matches->setText(shown(policies::matchWords(meaning)));
    m_matches->setCursorPosition(0);
    m_matches->setToolTip(plainTip(m_matches->text()));
    const std::vector<std::string> known = knownAttributes(*m_desk.policy());
    m_match->set(match, known);
    std::vector<std::string> key;
    for (const policies::Word& word : rule.key.value) {
        key.push_back(word.text);
    }
    m_key->set(key, known);
    setRowShown("key", !isOverride);
    setRowShown("algorithm", !isOverride);
    if (rule.algorithm.at.line > 0) {
        m_algorithm->setCurrentIndex(m_algorithm->findData(static_cast<int>(rule.algorithm.value)));
    } else {
        m_algorithm->setCurrentIndex(-1);
    }
    const policies::Given<engine::Mode>& mode = values.mode ? values.mode : rule.values.mode;
    m_mode->setCurrent(static_cast<int>(mode ? mode->value : engine::Mode::Enforce));

    const std::vector<policies::LimitField> fields = policies::limitFields(rule.algorithm.value);
    const FieldSource source {rule, values, usualBurst(rule, isOverride), isOverride};
    for (auto& [field, row] : m_rows) {
        if (row.edit == nullptr) {
            continue;
        }
        const bool isLimit = std::any_of(
            fields.begin(), fields.end(),
            [&, name = std::string_view(field)](const auto& one) { return one.name == name; });
        const bool isMore = isOneOf(kMoreFields, field);
        const bool isCounted = rule.algorithm.value != engine::Algorithm::LoadShedder
            || (field != "cost" && field != "tighten");
        const bool isShown = (isMore ? m_more->isChecked() && isCounted : isLimit)
            && (!isOverride || isOneOf(kOfOverrides, field));
        setRowShown(field, isShown);
        if (isShown) {
            row.edit->show(source);
        }
    }
}

void RuleForm::showMore(const policies::Rule& rule)
{
    const auto& cost = rule.values.cost;
    const QString costText = !cost      ? QStringLiteral("1")
        : cost->value.attribute.empty() ? QString::number(cost->value.fixed)
                                        : QStringLiteral("by ") + shown(cost->value.attribute, 40);
    const auto failure
        = rule.onStoreFailure ? rule.onStoreFailure->value : engine::StoreFailure::Open;
    const std::array<QString, 3> failures {QStringLiteral("open"), QStringLiteral("closed"),
                                           QStringLiteral("local")};
    m_more->setText(QStringLiteral("cost %1, status %2, store fails: %3%4")
                        .arg(costText)
                        .arg(statusOf(rule))
                        .arg(failures[static_cast<std::size_t>(failure)],
                             rule.note ? QStringLiteral(", note") : QString()));
    m_more->setArrowType(m_more->isChecked() ? Qt::DownArrow : Qt::RightArrow);
}

/// What is wrong stands under its field; what belongs to none of them, on top.
void RuleForm::showErrors(const policies::Rule& rule)
{
    std::map<std::string, QString> errors = m_refused;
    const auto isShown = [this](const std::string& field) {
        const auto row = m_rows.find(field);
        return row != m_rows.end() && !row->second.holder->isHidden();
    };
    const Lines lines = linesOf(*m_desk.policy(), rule.at);
    for (const engine::Diagnostic& problem : m_desk.problems()) {
        const bool isOurs = problem.severity == engine::Severity::Error
            && problem.place.line >= lines.first && problem.place.line <= lines.last;
        if (isOurs) {
            QString& said = errors[fieldOfProblem(m_desk.policy()->text, problem, isShown)];
            said = said.isEmpty() ? app::console::sentence(problem) : said;
        }
    }
    for (const auto& [field, row] : m_rows) {
        const auto error = errors.find(field);
        setError(field, error == errors.end() ? QString() : error->second);
    }
    const auto other = errors.find("");
    m_problem->setText(other == errors.end() ? QString() : other->second);
    m_problem->setVisible(other != errors.end());
}

void RuleForm::setError(const std::string& field, const QString& error)
{
    Row& row = m_rows.at(field);
    row.error->setText(error);
    row.error->setVisible(!error.isEmpty());
    if (row.edit != nullptr) {
        row.edit->setWrong(!error.isEmpty());
    } else if (field == "name") {
        markWrong(*m_name, !error.isEmpty());
    } else if (field == "key") {
        m_key->setWrong(!error.isEmpty());
    } else if (field == "algorithm") {
        markWrong(*m_algorithm, !error.isEmpty());
    } else if (field == "match") {
        markWrong(*m_matches, !error.isEmpty());
    }
}

bool RuleForm::take(const std::string& field, const engine::Result<policies::Edits>& edits)
{
    if (edits) {
        m_refused.erase(field);
        return m_desk.apply(edits);
    }
    m_refused[field] = app::console::sentence(edits.error());
    if (const policies::Rule* const rule = current()) {
        showErrors(*rule);
    }
    return false;
}

void RuleForm::write(const std::string& field, const std::string& value)
{
    EditSteps steps(m_desk.text());
    const policies::Rule* const rule = current();
    if (rule == nullptr) {
        return;
    }
    // gcra has one of these two: the other one gives way.
    const std::string_view other = field == "burst" ? "tolerance"
        : field == "tolerance"                      ? "burst"
                                                    : "";
    if (!other.empty() && rule->algorithm.value == engine::Algorithm::Gcra && !value.empty()) {
        steps.add(setField(steps.text(), part(), {std::string(other)}, ""));
    }
    steps.add(setField(steps.text(), part(), {field}, value));
    take(field, steps.take());
}

void RuleForm::rename()
{
    if (!m_name->isModified()) {
        return;
    }
    m_name->setModified(false);
    const std::string name = m_name->text().trimmed().toStdString();
    const std::string before = m_override.empty() ? m_rule : m_override;
    if (name == before) {
        return;
    }
    const auto edits = policies::renamePart(m_desk.text(), part(), name);
    if (!edits) {
        take("name", edits);
        return;
    }
    if (!m_override.empty()) {
        m_override = name;
        take("name", edits);
        return;
    }
    m_rule = name;
    Q_EMIT renaming(words(before), words(name));
    m_rule = take("name", edits) ? name : before;
    if (!m_isLeaving) {
        Q_EMIT renamed(words(m_rule));
    }
}

void RuleForm::changeMatch(const MatchChange& change)
{
    EditSteps steps(m_desk.text());
    const policies::Rule* const rule = current();
    if (rule == nullptr) {
        return;
    }
    const policies::Override* const own = override(*rule);
    const std::size_t entries = own != nullptr ? own->match.entries.size()
        : rule->match                          ? rule->match->entries.size()
                                               : 0;
    const std::string gone = change.value.empty() ? change.attribute : change.renamedFrom;
    if (!change.value.empty()) {
        if (entries == 0) {
            const std::string field = change.attribute + ": " + change.value;
            steps.add(policies::setValue(steps.text(), part(), {"match"}, "{ " + field + " }"));
        } else {
            steps.add(policies::setValue(steps.text(), part(), {"match", change.attribute},
                                         change.value));
        }
    }
    if (!gone.empty()) {
        const bool isLast = change.value.empty() && entries == 1 && own == nullptr;
        steps.add(isLast ? setField(steps.text(), part(), {"match"}, "")
                         : setField(steps.text(), part(), {"match", gone}, ""));
    }
    take("match", steps.take());
}

void RuleForm::changeAlgorithm(int index)
{
    const std::string text = m_desk.text();
    const policies::Rule* const rule = current();
    if (rule != nullptr && index >= 0) {
        const auto algorithm = static_cast<engine::Algorithm>(m_algorithm->itemData(index).toInt());
        take("algorithm", setAlgorithm(text, *rule, algorithm));
    }
}

void RuleForm::changeMode(int index)
{
    const std::string text = m_desk.text();
    const policies::Rule* const rule = current();
    if (rule == nullptr) {
        return;
    }
    const auto mode = static_cast<engine::Mode>(index);
    take("mode",
         m_override.empty() ? setMode(text, *rule, mode)
                            : setField(text, part(), {"mode"}, engine::nameOf(mode)));
}

} // namespace app::console
