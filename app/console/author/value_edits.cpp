#include "app/console/author/value_edits.h"

#include "app/console/author/number_edit.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/values.h"
#include "policies/rates.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

#include <array>
#include <cstdlib>

namespace app::console {

namespace {

struct Unit {
    std::int64_t ns;
    const char* name;
};

constexpr std::array<Unit, 6> kUnits {{
    {1'000'000, "ms"},
    {1'000'000'000, "second"},
    {60'000'000'000, "minute"},
    {3'600'000'000'000, "hour"},
    {86'400'000'000'000, "day"},
    {604'800'000'000'000, "week"},
}};

/// The largest unit of which a time is a whole number; ms for what is finer, too.
std::size_t unitOf(std::int64_t ns)
{
    for (std::size_t i = kUnits.size(); i-- > 1;) {
        if (ns != 0 && ns % kUnits[i].ns == 0) {
            return i;
        }
    }
    return ns == 0 ? 1 : 0;
}

QComboBox* comboOf(const QStringList& items, const QString& name)
{
    auto* combo = new QComboBox;
    combo->addItems(items);
    combo->setAccessibleName(name);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return combo;
}

QComboBox* unitCombo(const QString& name)
{
    QStringList names;
    for (const Unit& unit : kUnits) {
        names << QString::fromLatin1(unit.name);
    }
    return comboOf(names, name);
}

QHBoxLayout* rowOf(QWidget& owner)
{
    auto* row = new QHBoxLayout(&owner);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    return row;
}

/// A length of time as a number and a unit; empty where it is not given.
class SpanEdit : public QWidget {
public:
    SpanEdit(const QString& name, const QString& unitName)
        : number(new NumberEdit(name))
        , unit(unitCombo(unitName))
    {
        QHBoxLayout* row = rowOf(*this);
        row->addWidget(number);
        row->addWidget(unit);
    }

    void set(std::optional<std::int64_t> ns, const QString& placeholder = {})
    {
        if (!ns) {
            number->setNumber(std::nullopt, placeholder);
            return;
        }
        if (this->ns() == ns && number->number()) {
            return; // as the user has put it: 60 seconds stay 60 seconds
        }
        const std::size_t at = unitOf(*ns);
        number->setNumber(*ns / kUnits[at].ns);
        unit->setCurrentIndex(static_cast<int>(at));
    }

    /// Nothing: no number, or one beyond 64 bits.
    [[nodiscard]] std::optional<std::int64_t> ns() const
    {
        const std::int64_t one = kUnits[static_cast<std::size_t>(unit->currentIndex())].ns;
        std::int64_t product = 0;
        const auto count = number->number();
        return count && !__builtin_mul_overflow(*count, one, &product) ? std::optional(product)
                                                                       : std::nullopt;
    }

    NumberEdit* number;
    QComboBox* unit;
};

/// 100 per 1 second.
class RateEdit : public ValueEdit {
public:
    RateEdit()
        : m_count(new NumberEdit(QStringLiteral("Rate: requests")))
        , m_period(new SpanEdit(QStringLiteral("Rate: per how many"), QStringLiteral("Rate: unit")))
    {
        m_count->setDigits(6);
        m_period->number->setDigits(2);
        m_period->number->setRange(1, std::numeric_limits<std::int64_t>::max());
        QHBoxLayout* row = rowOf(*this);
        row->addWidget(m_count);
        row->addWidget(plainLabel(QStringLiteral("per")));
        row->addWidget(m_period);
        row->addStretch(1);
        setFocusProxy(m_count);
        m_period->set(kUnits[2].ns);
        connect(m_count, &NumberEdit::edited, this, &ValueEdit::edited);
        connect(m_period->number, &NumberEdit::edited, this, &ValueEdit::edited);
        connect(m_period->unit, &QComboBox::activated, this, &ValueEdit::edited);
    }

    void show(const FieldSource& source) override
    {
        const auto& rate = source.values.rate;
        m_count->setOptional(source.isOverride);
        const auto& own = source.rule.values.rate;
        m_count->setNumber(rate ? std::optional(rate->value.count) : std::nullopt,
                           source.isOverride && own ? QString::number(own->value.count)
                                                    : QString());
        if (rate || (source.isOverride && own)) {
            m_period->set((rate ? rate : own)->value.periodNs);
        }
    }

    [[nodiscard]] std::optional<std::string> written() const override
    {
        const auto count = m_count->number();
        const auto period = m_period->ns();
        if (!count || !period) {
            return m_count->isEmpty() && period ? std::optional(std::string()) : std::nullopt;
        }
        return policies::textOf(engine::Rate {*count, *period});
    }

    void setWrong(bool isWrong) override { m_count->setWrong(isWrong); }

private:
    NumberEdit* m_count;
    SpanEdit* m_period;
};

using Number = policies::Given<std::int64_t> policies::Values::*;

/// A number of requests.
class CountEdit : public ValueEdit {
public:
    CountEdit(const QString& label, Number field, const QString& unit, const QString& usual)
        : m_field(field)
        , m_number(new NumberEdit(label))
        , m_usual(usual)
    {
        QHBoxLayout* row = rowOf(*this);
        row->addWidget(m_number);
        row->addWidget(plainLabel(unit));
        row->addStretch(1);
        setFocusProxy(m_number);
        connect(m_number, &NumberEdit::edited, this, &ValueEdit::edited);
    }

    void show(const FieldSource& source) override
    {
        const auto& own = source.rule.values.*m_field;
        const auto& value = source.values.*m_field;
        m_number->setOptional(source.isOverride || !m_usual.isEmpty());
        m_number->setNumber(value ? std::optional(value->value) : std::nullopt,
                            source.isOverride && own ? QString::number(own->value) : m_usual);
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
    Number m_field;
    NumberEdit* m_number;
    QString m_usual; ///< what holds where none is given
};

/// A burst: requests, or so many times the rate per second.
class BurstEdit : public ValueEdit {
public:
    BurstEdit()
        : m_number(new NumberEdit(QStringLiteral("Burst")))
        , m_unit(comboOf({QStringLiteral("requests"), QStringLiteral("times the rate per second")},
                         QStringLiteral("Burst: unit")))
    {
        m_number->setRange(1, std::numeric_limits<std::int64_t>::max());
        QHBoxLayout* row = rowOf(*this);
        row->addWidget(m_number);
        row->addWidget(m_unit);
        row->addStretch(1);
        setFocusProxy(m_number);
        connect(m_number, &NumberEdit::edited, this, &ValueEdit::edited);
        connect(m_unit, &QComboBox::activated, this, &ValueEdit::edited);
    }

    void show(const FieldSource& source) override
    {
        const auto& burst = source.values.burst;
        m_number->setOptional(source.isOverride || source.usualBurst.has_value());
        m_number->setNumber(burst ? std::optional(burst->value.number) : std::nullopt,
                            source.usualBurst ? QString::number(*source.usualBurst) : QString());
        if (burst) {
            m_unit->setCurrentIndex(burst->value.timesRate ? 1 : 0);
        }
    }

    [[nodiscard]] std::optional<std::string> written() const override
    {
        const auto number = m_number->number();
        if (!number) {
            return m_number->isEmpty() ? std::optional(std::string()) : std::nullopt;
        }
        return std::to_string(*number) + (m_unit->currentIndex() == 1 ? "x" : "");
    }

    void setWrong(bool isWrong) override { m_number->setWrong(isWrong); }

private:
    NumberEdit* m_number;
    QComboBox* m_unit;
};

/// A length of time that may be left out.
class DurationEdit : public ValueEdit {
public:
    using Get = std::optional<std::int64_t> (*)(const FieldSource&);

    DurationEdit(const QString& label, Get get, const QString& usual)
        : m_get(get)
        , m_span(new SpanEdit(label, label + QStringLiteral(": unit")))
        , m_usual(usual)
    {
        m_span->number->setOptional(true);
        QHBoxLayout* row = rowOf(*this);
        row->addWidget(m_span);
        row->addStretch(1);
        setFocusProxy(m_span->number);
        connect(m_span->number, &NumberEdit::edited, this, &ValueEdit::edited);
        connect(m_span->unit, &QComboBox::activated, this, [this] {
            if (!m_span->number->isEmpty()) {
                Q_EMIT edited();
            }
        });
    }

    void show(const FieldSource& source) override { m_span->set(m_get(source), m_usual); }

    [[nodiscard]] std::optional<std::string> written() const override
    {
        const auto ns = m_span->ns();
        return ns                       ? std::optional(policies::textOfDuration(*ns))
            : m_span->number->isEmpty() ? std::optional(std::string())
                                        : std::nullopt;
    }

    void setWrong(bool isWrong) override { m_span->number->setWrong(isWrong); }

private:
    Get m_get;
    SpanEdit* m_span;
    QString m_usual;
};

/// One of a few: what it is called, and how it is written; the first is what holds anyway.
class ChoiceEdit : public ValueEdit {
public:
    using Get = int (*)(const FieldSource&);

    ChoiceEdit(const QString& label, const QStringList& choices, std::vector<std::string> values,
               Get get)
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
    Get m_get;
    std::vector<std::string> m_values;
    QComboBox* m_choice;
};

/// Yes, or not written.
class FlagEdit : public ValueEdit {
public:
    using Get = bool (*)(const FieldSource&);

    FlagEdit(const QString& text, std::string value, Get get)
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
    Get m_get;
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
            m_attribute->setText(words(cost->value.attribute));
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
        m_number->setNumber(source.rule.status
                                ? std::optional<std::int64_t>(source.rule.status->value)
                                : std::nullopt,
                            QStringLiteral("429"));
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

class NoteEdit : public ValueEdit {
public:
    NoteEdit()
        : m_text(new QLineEdit)
    {
        m_text->setAccessibleName(QStringLiteral("Note"));
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
            m_text->setText(source.rule.note ? shown(source.rule.note->value) : QString());
        }
    }

    [[nodiscard]] std::optional<std::string> written() const override
    {
        const std::string text = m_text->text().toStdString();
        return text.empty() ? text : policies::textOfName(text);
    }

    void setWrong(bool isWrong) override { markWrong(*m_text, isWrong); }

private:
    QLineEdit* m_text;
};

template <class T> std::optional<T> valueOf(const policies::Given<T>& field)
{
    return field ? std::optional(field->value) : std::nullopt;
}

} // namespace

ValueEdit* makeValueEdit(std::string_view field)
{
    const QString label = labelOf(field);
    const QString requests = QStringLiteral("requests");
    if (field == "rate") {
        return new RateEdit;
    }
    if (field == "burst") {
        return new BurstEdit;
    }
    if (field == "tolerance") {
        return new DurationEdit(
            label, [](const FieldSource& s) { return valueOf(s.values.toleranceNs); }, {});
    }
    if (field == "queue") {
        return new CountEdit(label, &policies::Values::queue, requests, {});
    }
    if (field == "delay_after") {
        return new CountEdit(label, &policies::Values::delayAfter, requests, QStringLiteral("0"));
    }
    if (field == "in_flight") {
        return new CountEdit(label, &policies::Values::inFlight, requests, {});
    }
    if (field == "align") {
        return new ChoiceEdit(
            label, {QStringLiteral("on the clock"), QStringLiteral("with the first request")},
            {"", "first_request"}, [](const FieldSource& s) {
                return valueOf(s.rule.alignToFirstRequest).value_or(false) ? 1 : 0;
            });
    }
    if (field == "anchor") {
        return new DurationEdit(
            label, [](const FieldSource& s) { return valueOf(s.rule.anchorNs); },
            QStringLiteral("0"));
    }
    if (field == "rounding") {
        return new FlagEdit(
            QStringLiteral("round the estimate down"), "floor",
            [](const FieldSource& s) { return valueOf(s.rule.floorEstimate).value_or(false); });
    }
    if (field == "count_rejected") {
        return new FlagEdit(
            QStringLiteral("rejected requests count, too"), "true",
            [](const FieldSource& s) { return valueOf(s.rule.countRejected).value_or(false); });
    }
    if (field == "assume_duration") {
        return new DurationEdit(
            label, [](const FieldSource& s) { return valueOf(s.rule.assumeDurationNs); }, {});
    }
    if (field == "cost") {
        return new CostEdit;
    }
    if (field == "status") {
        return new StatusEdit;
    }
    if (field == "on_store_failure") {
        return new ChoiceEdit(
            label,
            {QStringLiteral("open: admits"), QStringLiteral("closed: rejects"),
             QStringLiteral("local: counts by itself")},
            {"", "closed", "local"}, [](const FieldSource& s) {
                return static_cast<int>(
                    valueOf(s.rule.onStoreFailure).value_or(engine::StoreFailure::Open));
            });
    }
    if (field == "note") {
        return new NoteEdit;
    }
    std::abort();
}

QString labelOf(std::string_view field)
{
    struct Row {
        std::string_view field;
        const char* label;
    };

    static constexpr std::array kLabels {
        Row {"rate", "Rate"},
        Row {"burst", "Burst"},
        Row {"tolerance", "Tolerance"},
        Row {"queue", "Queue"},
        Row {"delay_after", "Delay after"},
        Row {"in_flight", "In flight"},
        Row {"align", "Windows begin"},
        Row {"anchor", "Anchor"},
        Row {"rounding", "Rounding"},
        Row {"count_rejected", "Rejected"},
        Row {"assume_duration", "If unknown"},
        Row {"cost", "Cost"},
        Row {"status", "Status"},
        Row {"on_store_failure", "Store fails"},
        Row {"note", "Note"},
    };
    for (const Row& row : kLabels) {
        if (row.field == field) {
            return QString::fromLatin1(row.label);
        }
    }
    return words(field);
}

std::optional<policies::Span> spanOf(const policies::Rule& rule, const policies::Values& values,
                                     std::string_view field)
{
    std::optional<policies::Span> span;
    const auto look = [&](std::string_view name, const auto& given) {
        if (name == field && given) {
            span = given->at;
        }
    };
    look("rate", values.rate);
    look("burst", values.burst);
    look("tolerance", values.toleranceNs);
    look("queue", values.queue);
    look("delay_after", values.delayAfter);
    look("in_flight", values.inFlight);
    look("cost", values.cost);
    look("mode", values.mode);
    look("align", rule.alignToFirstRequest);
    look("anchor", rule.anchorNs);
    look("rounding", rule.floorEstimate);
    look("count_rejected", rule.countRejected);
    look("assume_duration", rule.assumeDurationNs);
    look("status", rule.status);
    look("on_store_failure", rule.onStoreFailure);
    look("note", rule.note);
    look("name", std::optional(rule.name));
    look("key", std::optional(rule.key));
    look("algorithm", std::optional(rule.algorithm));
    if (field == "match" && rule.match) {
        span = rule.match->at;
    }
    return span;
}

} // namespace app::console
