#include "app/console/author/slot_edits.h"

#include "app/console/author/number_edit.h"
#include "app/console/author/span_edit.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/values.h"
#include "policies/plan_rule.h"
#include "policies/rates.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

#include <limits>

namespace app::console {

namespace {

class BoundEdit : public ValueEdit {
public:
    BoundEdit(const QString& label, BoundField field, UsualBound usual)
        : m_field(field)
        , m_usual(usual)
        , m_number(new NumberEdit(label))
    {
        m_number->setOptional(true);
        m_number->setRange(1, std::numeric_limits<std::int32_t>::max());
        QHBoxLayout* row = rowOf(*this);
        row->addWidget(m_number);
        row->addWidget(plainLabel(QStringLiteral("requests")));
        row->addStretch(1);
        setFocusProxy(m_number);
        connect(m_number, &NumberEdit::edited, this, &ValueEdit::edited);
    }

    void show(const FieldSource& source) override
    {
        const auto& value = source.rule.*m_field;
        const auto plan = policies::planRule(source.rule);
        m_number->setNumber(value ? std::optional(value->value) : std::nullopt,
                            plan ? QString::number(plan->limit.*m_usual) : QString());
    }

    [[nodiscard]] std::optional<std::string> written() const override
    {
        const auto number = m_number->number();
        return number             ? std::optional(std::to_string(*number))
            : m_number->isEmpty() ? std::optional(std::string())
                                  : std::nullopt;
    }

    void setWrong(bool isWrong) override { m_number->setWrong(isWrong); }

private:
    BoundField m_field;
    UsualBound m_usual;
    NumberEdit* m_number;
};

/// The first is what holds anyway.
QStringList strategiesOf(engine::Algorithm algorithm)
{
    return algorithm == engine::Algorithm::LoadShedder
        ? QStringList {QStringLiteral("fleet"), QStringLiteral("utilisation")}
        : QStringList {QStringLiteral("vegas"), QStringLiteral("gradient2"),
                       QStringLiteral("aimd")};
}

class StrategyEdit : public ValueEdit {
public:
    StrategyEdit()
        : m_choice(comboOf({}, QStringLiteral("Strategy")))
    {
        QHBoxLayout* row = rowOf(*this);
        row->addWidget(m_choice);
        row->addStretch(1);
        setFocusProxy(m_choice);
        connect(m_choice, &QComboBox::activated, this, &ValueEdit::edited);
    }

    void show(const FieldSource& source) override
    {
        const QStringList names = strategiesOf(source.rule.algorithm.value);
        if (m_choice->count() != names.size() || m_choice->itemText(0) != names.front()) {
            m_choice->clear();
            m_choice->addItems(names);
        }
        const auto& given = source.rule.strategy;
        const qsizetype at = given ? names.indexOf(words(engine::nameOf(given->value))) : 0;
        m_choice->setCurrentIndex(static_cast<int>(at)); // none that is of the other algorithm
    }

    [[nodiscard]] std::optional<std::string> written() const override
    {
        return m_choice->currentIndex() <= 0 ? std::string()
                                             : m_choice->currentText().toStdString();
    }

    void setWrong(bool isWrong) override { markWrong(*m_choice, isWrong); }

private:
    QComboBox* m_choice;
};

/// A list or a map as a policy has it, in one line.
class YamlEdit : public ValueEdit {
public:
    using Text = std::string (*)(const policies::Rule&);

    YamlEdit(const QString& label, const QString& example, Text text)
        : m_shown(text)
        , m_text(new QLineEdit)
    {
        m_text->setAccessibleName(label);
        m_text->setPlaceholderText(example);
        rowOf(*this)->addWidget(m_text);
        setFocusProxy(m_text);
        connect(m_text, &QLineEdit::editingFinished, this, [this] {
            if (m_text->isModified()) {
                m_text->setModified(false);
                Q_EMIT edited();
            }
        });
    }

    void show(const FieldSource& source) override
    {
        if (!m_text->isModified()) {
            setRaw(*m_text, m_shown(source.rule));
            m_text->setCursorPosition(0);
        }
    }

    [[nodiscard]] std::optional<std::string> written() const override
    {
        return m_text->text().trimmed().toStdString();
    }

    void setWrong(bool isWrong) override { markWrong(*m_text, isWrong); }

private:
    Text m_shown;
    QLineEdit* m_text;
};

} // namespace

ValueEdit* makeBoundEdit(const QString& label, BoundField field, UsualBound usual)
{
    return new BoundEdit(label, field, usual);
}

ValueEdit* makeStrategyEdit()
{
    return new StrategyEdit;
}

ValueEdit* makeClassesEdit()
{
    return new YamlEdit(QStringLiteral("Classes"),
                        QStringLiteral("[{ name: batch, match: { path: /export }, up_to: 50% }]"),
                        [](const policies::Rule& rule) {
                            return rule.classes ? policies::textOfClasses(rule) : std::string();
                        });
}

ValueEdit* makeTightenEdit()
{
    return new YamlEdit(QStringLiteral("Tighten"),
                        QStringLiteral("{ rule: NAME, above: 80%, factor: 2 }"),
                        policies::textOfTighten);
}

} // namespace app::console
