#include "app/console/author/option_edits.h"

#include "app/console/author/number_edit.h"
#include "app/console/author/span_edit.h"
#include "app/console/frame/values.h"
#include "policies/rates.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>

#include <utility>

namespace app::console {

namespace {

/// One of a few: what it is called, and how it is written; the first is what holds anyway.
class ChoiceEdit : public ValueEdit {
public:
    ChoiceEdit(const QString& label, const QStringList& choices, std::vector<std::string> values,
               GetChoice get)
        : m_get(get)
        , m_values(std::move(values))
        , m_choice(comboOf(choices, label))
    {
        QHBoxLayout* row = rowOf(*this);
        row->addWidget(m_choice);
        row->addStretch(1);
        setFocusProxy(m_choice);
        connect(m_choice, &QComboBox::activated, this, &ValueEdit::edited);
    }

    void show(const FieldSource& source) override { m_choice->setCurrentIndex(m_get(source)); }

    [[nodiscard]] std::optional<std::string> written() const override
    {
        return m_values.at(static_cast<std::size_t>(m_choice->currentIndex()));
    }

    void setWrong(bool isWrong) override { markWrong(*m_choice, isWrong); }

private:
    GetChoice m_get;
    std::vector<std::string> m_values;
    QComboBox* m_choice;
};

/// Yes, or not written.
class FlagEdit : public ValueEdit {
public:
    FlagEdit(const QString& text, std::string value, GetFlag get)
        : m_get(get)
        , m_value(std::move(value))
        , m_box(new QCheckBox(text))
    {
        m_box->setAccessibleName(text);
        rowOf(*this)->addWidget(m_box);
        setFocusProxy(m_box);
        connect(m_box, &QCheckBox::clicked, this, &ValueEdit::edited);
    }

    void show(const FieldSource& source) override { m_box->setChecked(m_get(source)); }

    [[nodiscard]] std::optional<std::string> written() const override
    {
        return m_box->isChecked() ? m_value : std::string();
    }

    void setWrong(bool) override { }

private:
    GetFlag m_get;
    std::string m_value;
    QCheckBox* m_box;
};

/// What a request counts: a number, or an attribute's value per so many.
class CostEdit : public ValueEdit {
public:
    CostEdit()
        : m_number(new NumberEdit(QStringLiteral("Cost")))
        , m_unit(comboOf({QStringLiteral("a request"), QStringLiteral("units of 1")},
                         QStringLiteral("Cost: of what")))
        , m_attribute(new QLineEdit)
    {
        m_attribute->setAccessibleName(QStringLiteral("Cost: attribute"));
        m_attribute->setPlaceholderText(QStringLiteral("attribute"));
        m_number->setOptional(true);
        QHBoxLayout* row = rowOf(*this);
        row->addWidget(m_number);
        row->addWidget(m_unit);
        row->addWidget(m_attribute, 1);
        m_unit->setItemText(1, QStringLiteral("to a unit of"));
        setFocusProxy(m_number);
        connect(m_number, &NumberEdit::edited, this, &ValueEdit::edited);
        connect(m_unit, &QComboBox::activated, this, [this] {
            m_attribute->setVisible(m_unit->currentIndex() == 1);
            Q_EMIT edited();
        });
        connect(m_attribute, &QLineEdit::editingFinished, this, &ValueEdit::edited);
    }

    void show(const FieldSource& source) override
    {
        const auto& cost = source.values.cost;
        const bool byAttribute = cost && !cost->value.attribute.empty();
        m_number->setNumber(cost ? std::optional(byAttribute ? cost->value.per : cost->value.fixed)
                                 : std::nullopt,
                            QStringLiteral("1"));
        m_unit->setCurrentIndex(byAttribute ? 1 : 0);
        m_attribute->setVisible(byAttribute);
        if (byAttribute && !m_attribute->hasFocus()) {
            setRaw(*m_attribute, cost->value.attribute);
        }
    }

    [[nodiscard]] std::optional<std::string> written() const override
    {
        const auto number = m_number->number();
        if (m_unit->currentIndex() == 0) {
            return number ? std::to_string(*number) : std::string();
        }
        const std::string attribute = m_attribute->text().trimmed().toStdString();
        if (attribute.empty()) {
            return std::nullopt;
        }
        return "{ attribute: " + policies::textOfName(attribute)
            + ", per: " + std::to_string(number.value_or(1)) + " }";
    }

    void setWrong(bool isWrong) override { m_number->setWrong(isWrong); }

private:
    NumberEdit* m_number;
    QComboBox* m_unit;
    QLineEdit* m_attribute;
};

class StatusEdit : public ValueEdit {
public:
    StatusEdit()
        : m_number(new NumberEdit(QStringLiteral("Status")))
    {
        m_number->setOptional(true);
        QHBoxLayout* row = rowOf(*this);
        row->addWidget(m_number);
        row->addStretch(1);
        setFocusProxy(m_number);
        connect(m_number, &NumberEdit::edited, this, &ValueEdit::edited);
    }

    void show(const FieldSource& source) override
    {
        m_number->setNumber(
            source.rule.status ? std::optional<std::int64_t>(source.rule.status->value)
                               : std::nullopt,
            source.rule.algorithm.value == engine::Algorithm::LoadShedder ? QStringLiteral("503")
                                                                          : QStringLiteral("429"));
    }

    [[nodiscard]] std::optional<std::string> written() const override
    {
        const auto number = m_number->number();
        return number ? std::to_string(*number) : std::string();
    }

    void setWrong(bool isWrong) override { m_number->setWrong(isWrong); }

private:
    NumberEdit* m_number;
};

/// One line of text.
class LineEdit : public ValueEdit {
public:
    LineEdit(const QString& label, const QString& example, GetText get, WriteText write)
        : m_get(get)
        , m_write(write)
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
            setRaw(*m_text, m_get(source.rule));
        }
    }

    [[nodiscard]] std::optional<std::string> written() const override
    {
        const std::string text = m_text->text().toStdString();
        return text.empty() ? text : m_write(text);
    }

    void setWrong(bool isWrong) override { markWrong(*m_text, isWrong); }

private:
    GetText m_get;
    WriteText m_write;
    QLineEdit* m_text;
};

} // namespace

ValueEdit* makeChoiceEdit(const QString& label, const QStringList& choices,
                          std::vector<std::string> values, GetChoice get)
{
    return new ChoiceEdit(label, choices, std::move(values), get);
}

ValueEdit* makeFlagEdit(const QString& text, std::string value, GetFlag get)
{
    return new FlagEdit(text, std::move(value), get);
}

ValueEdit* makeCostEdit()
{
    return new CostEdit;
}

ValueEdit* makeStatusEdit()
{
    return new StatusEdit;
}

ValueEdit* makeLineEdit(const QString& label, const QString& example, GetText get, WriteText write)
{
    return new LineEdit(label, example, get, write);
}

ValueEdit* makeNoteEdit()
{
    return makeLineEdit(
        QStringLiteral("Note"), {},
        [](const policies::Rule& rule) { return rule.note ? rule.note->value : std::string(); },
        policies::textOfName);
}

} // namespace app::console
