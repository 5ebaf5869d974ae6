#include "app/console/author/match_editor.h"

#include "app/console/author/number_edit.h"
#include "app/console/author/span_edit.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/values.h"
#include "policies/rates.h"

#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace app::console {

namespace {

struct Value {
    std::string text;
    bool quoted = false;
};

/// Parts at commas outside of double quotes. Nothing where a part has something beside its quotes,
/// or its quotes do not end: neither may be left out.
std::optional<std::vector<Value>> valuesOf(const QString& text)
{
    std::vector<Value> values;
    Value value;
    QString word;
    bool isInQuotes = false;
    const auto end = [&] {
        const QString trimmed = value.quoted ? word : word.trimmed();
        if (value.quoted || !trimmed.isEmpty()) {
            value.text = trimmed.toStdString();
            values.push_back(value);
        }
        value = {};
        word.clear();
    };
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        if (isInQuotes && c != u'"') {
            word += c;
        } else if (isInQuotes && i + 1 < text.size() && text.at(i + 1) == u'"') {
            word += c;
            ++i;
        } else if (isInQuotes) {
            isInQuotes = false;
        } else if (c == u',') {
            end();
        } else if (c == u'"') {
            if (value.quoted || !word.trimmed().isEmpty()) {
                return std::nullopt;
            }
            word.clear();
            value.quoted = true;
            isInQuotes = true;
        } else if (!value.quoted) {
            word += c;
        } else if (!c.isSpace()) {
            return std::nullopt;
        }
    }
    if (isInQuotes) {
        return std::nullopt;
    }
    end();
    return values;
}

std::string yamlOf(const Value& value)
{
    const bool isAbsence = value.text == "absent";
    return isAbsence ? value.quoted ? "\"absent\"" : "absent" : policies::textOfName(value.text);
}

} // namespace

QString valuesText(const std::vector<policies::Word>& values)
{
    QStringList texts;
    for (const policies::Word& word : values) {
        const bool needsQuotes = word.text.find_first_of(",\"") != std::string::npos
            || word.text.empty() || word.text.front() == ' ' || word.text.back() == ' '
            || (word.quoted && word.text == "absent");
        QString text = words(word.text);
        if (needsQuotes) {
            text = QStringLiteral("\"%1\"").arg(
                text.replace(QStringLiteral("\""), QStringLiteral("\"\"")));
        }
        texts << text;
    }
    return texts.join(QStringLiteral(", "));
}

std::optional<std::string> valuesYaml(const QString& text, bool negated)
{
    const std::optional<std::vector<Value>> values = valuesOf(text);
    if (!values) {
        return std::nullopt;
    }
    if (values->empty()) {
        return std::string();
    }
    std::string yaml;
    for (const Value& value : *values) {
        yaml += (yaml.empty() ? "" : ", ") + yamlOf(value);
    }
    yaml = values->size() == 1 ? yaml : "[" + yaml + "]";
    return negated ? "{ not: " + yaml + " }" : yaml;
}

MatchEditor::MatchEditor(QWidget* parent)
    : QWidget(parent)
    , m_rows(new QVBoxLayout(this))
{
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(4);
}

void MatchEditor::set(const policies::MatchList* match, const std::vector<std::string>& known)
{
    std::vector<Entry> entries;
    if (match != nullptr) {
        for (const policies::MatchEntry& entry : match->entries) {
            entries.push_back({entry.attribute.text, entry.negated, valuesText(entry.values)});
        }
    }
    const bool isSameRows
        = std::equal(entries.begin(), entries.end(), m_entries.begin(), m_entries.end(),
                     [](const Entry& a, const Entry& b) { return a.attribute == b.attribute; });
    const bool isNew = m_isOther || m_built.empty() || known != m_known || !isSameRows;
    m_entries = std::move(entries);
    m_known = known;
    m_isOther = false;
    isNew ? rebuild() : update();
}

void MatchEditor::focusFirst()
{
    if (!m_built.empty()) {
        const Row& first = m_built.front();
        (m_entries.empty() ? static_cast<QWidget*>(first.attribute) : first.values)->setFocus();
    }
}

/// The rows are of the same attributes: what has the focus, or is pressed, stays.
void MatchEditor::update()
{
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        m_built[i].negated->setCurrentIndex(m_entries[i].negated ? 1 : 0);
        if (!m_built[i].values->isModified()) {
            setRaw(*m_built[i].values, m_entries[i].values.toStdString());
        }
    }
}

void MatchEditor::rebuild()
{
    std::size_t focused = m_built.size();
    for (std::size_t i = 0; i < m_built.size(); ++i) {
        focused = m_built[i].widget->isAncestorOf(QApplication::focusWidget()) ? i : focused;
        m_rows->removeWidget(m_built[i].widget);
        m_built[i].widget->hide();
        m_built[i].widget->deleteLater(); // it may be one of them that has asked for this
    }
    const bool hadFocus = focused < m_built.size();
    m_built.clear();
    for (const Entry& entry : m_entries) {
        addRow(entry, false);
    }
    addRow({}, true);
    if (hadFocus) {
        m_built[std::min(focused, m_built.size() - 1)].values->setFocus();
    }
}

void MatchEditor::addRow(const Entry& entry, bool isNew)
{
    Row row;
    row.widget = new QWidget;
    row.attribute = new QComboBox;
    row.negated = new QComboBox;
    row.values = new QLineEdit;
    setRaw(*row.values, entry.values.toStdString());
    fillRow(row, entry, isNew);
    m_rows->addWidget(row.widget);
    row.widget->show(); // at once: it may be given the focus
    m_built.push_back(row);
    const auto told = [this, row, before = entry.attribute] { tell(row, before); };
    connect(row.attribute, &QComboBox::activated, this, told);
    connect(row.negated, &QComboBox::activated, this, told);
    connect(row.values, &QLineEdit::editingFinished, this, [row, told] {
        if (row.values->isModified()) {
            told();
        }
    });
}

void MatchEditor::fillRow(Row& row, const Entry& entry, bool isNew)
{
    const QString number = isNew ? QStringLiteral("new condition")
                                 : QStringLiteral("condition %1").arg(m_built.size() + 1);
    nameList(*row.attribute, QStringLiteral("Match, %1: attribute").arg(number));
    row.attribute->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    row.attribute->setMinimumContentsLength(5);
    std::vector<std::string> names = m_known;
    if (!isNew && std::find(names.begin(), names.end(), entry.attribute) == names.end()) {
        names.push_back(entry.attribute);
    }
    for (const std::string& name : names) {
        row.attribute->addItem(shown(name, 100), QByteArray::fromStdString(name));
        if (!isNew && name == entry.attribute) {
            row.attribute->setCurrentIndex(row.attribute->count() - 1);
        }
    }
    if (isNew) {
        row.attribute->setPlaceholderText(QStringLiteral("and..."));
        row.attribute->setCurrentIndex(-1);
    }
    row.negated->addItems({QStringLiteral("is"), QStringLiteral("is not")});
    nameList(*row.negated, QStringLiteral("Match, %1: is or is not").arg(number));
    row.negated->setCurrentIndex(entry.negated ? 1 : 0);
    row.values->setAccessibleName(QStringLiteral("Match, %1: values").arg(number));
    row.values->setPlaceholderText(QStringLiteral("value, value; absent"));
    auto* layout = new QHBoxLayout(row.widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(row.attribute, 2);
    layout->addWidget(row.negated);
    layout->addWidget(row.values, 3);
    if (!isNew) {
        auto* remove = new QToolButton;
        remove->setText(QStringLiteral("\u00d7"));
        remove->setAutoRaise(true);
        remove->setFocusPolicy(Qt::StrongFocus);
        remove->setAccessibleName(QStringLiteral("Match, %1: take it away").arg(number));
        remove->setToolTip(remove->accessibleName());
        layout->addWidget(remove);
        connect(remove, &QToolButton::clicked, this, [this, old = entry.attribute] {
            Q_EMIT changed({old, {}, {}});
        });
    }
}

void MatchEditor::tell(const Row& row, const std::string& before)
{
    if (row.values->isReadOnly()) {
        return; // what it shows is not what it stands for
    }
    const std::string name = row.attribute->currentData().toByteArray().toStdString();
    const auto yaml = valuesYaml(row.values->text(), row.negated->currentIndex() == 1);
    markWrong(*row.values, !yaml);
    if (!yaml) {
        Q_EMIT refused();
    } else if (!name.empty() && !yaml->empty()) {
        row.values->setModified(false);
        Q_EMIT changed({name, *yaml, before == name ? std::string() : before});
    }
}

} // namespace app::console
