#include "app/console/author/match_editor.h"

#include "app/console/frame/panel.h"
#include "app/console/frame/values.h"
#include "policies/rates.h"

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

/// Parts at commas outside of double quotes.
std::vector<Value> valuesOf(const QString& text)
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
        if (c == u'"') {
            if (isInQuotes && i + 1 < text.size() && text.at(i + 1) == u'"') {
                word += c;
                ++i;
                continue;
            }
            isInQuotes = !isInQuotes;
            word = value.quoted ? word : QString();
            value.quoted = true;
        } else if (c == u',' && !isInQuotes) {
            end();
        } else if (!value.quoted || isInQuotes) {
            word += c;
        }
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

std::string valuesYaml(const QString& text, bool negated)
{
    const std::vector<Value> values = valuesOf(text);
    if (values.empty()) {
        return {};
    }
    std::string yaml;
    for (const Value& value : values) {
        yaml += (yaml.empty() ? "" : ", ") + yamlOf(value);
    }
    yaml = values.size() == 1 ? yaml : "[" + yaml + "]";
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
    if (entries == m_entries && known == m_known && m_rows->count() > 0) {
        return; // what is being typed stays
    }
    m_entries = std::move(entries);
    m_known = known;
    rebuild();
}

void MatchEditor::focusFirst()
{
    if (auto* const first = findChild<QLineEdit*>()) {
        first->setFocus();
    }
}

void MatchEditor::rebuild()
{
    while (QLayoutItem* const item = m_rows->takeAt(0)) {
        if (QWidget* const row = item->widget()) {
            row->hide();
            row->deleteLater(); // one of them may have asked for this
        }
        delete item;
    }
    for (const Entry& entry : m_entries) {
        addRow(entry, false);
    }
    addRow({}, true);
}

void MatchEditor::addRow(const Entry& entry, bool isNew)
{
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    const QString number = isNew ? QStringLiteral("new condition")
                                 : QStringLiteral("condition %1").arg(m_rows->count() + 1);
    auto* attribute = new QComboBox;
    attribute->setAccessibleName(QStringLiteral("Match, %1: attribute").arg(number));
    attribute->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    attribute->setMinimumContentsLength(7);
    std::vector<std::string> names = m_known;
    if (!isNew && std::find(names.begin(), names.end(), entry.attribute) == names.end()) {
        names.push_back(entry.attribute);
    }
    for (const std::string& name : names) {
        attribute->addItem(shown(name, 100), QByteArray::fromStdString(name));
        if (!isNew && name == entry.attribute) {
            attribute->setCurrentIndex(attribute->count() - 1);
        }
    }
    if (isNew) {
        attribute->setPlaceholderText(QStringLiteral("and..."));
        attribute->setCurrentIndex(-1);
    }
    auto* negated = new QComboBox;
    negated->addItems({QStringLiteral("is"), QStringLiteral("is not")});
    negated->setAccessibleName(QStringLiteral("Match, %1: is or is not").arg(number));
    negated->setCurrentIndex(entry.negated ? 1 : 0);
    auto* values = new QLineEdit(entry.values);
    values->setAccessibleName(QStringLiteral("Match, %1: values").arg(number));
    values->setPlaceholderText(QStringLiteral("value, value; absent"));
    auto* remove = new QToolButton;
    remove->setText(QStringLiteral("\u00d7"));
    remove->setAutoRaise(true);
    remove->setAccessibleName(QStringLiteral("Match, %1: take it away").arg(number));
    remove->setToolTip(remove->accessibleName());
    remove->setVisible(!isNew);
    layout->addWidget(attribute, 2);
    layout->addWidget(negated);
    layout->addWidget(values, 3);
    layout->addWidget(remove);
    m_rows->addWidget(row);

    const std::string old = entry.attribute;
    const auto tell = [this, attribute, negated, values, old] {
        const std::string name = attribute->currentData().toByteArray().toStdString();
        const std::string yaml = valuesYaml(values->text(), negated->currentIndex() == 1);
        if (!name.empty() && !yaml.empty()) {
            values->setModified(false);
            Q_EMIT changed({name, yaml, old == name ? std::string() : old});
        }
    };
    connect(attribute, &QComboBox::activated, this, tell);
    connect(negated, &QComboBox::activated, this, tell);
    connect(values, &QLineEdit::editingFinished, this, [values, tell] {
        if (values->isModified()) {
            tell();
        }
    });
    connect(remove, &QToolButton::clicked, this, [this, old] { Q_EMIT changed({old, {}, {}}); });
}

} // namespace app::console
