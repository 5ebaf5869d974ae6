#include "app/console/author/limit_edits.h"

#include "app/console/author/number_edit.h"
#include "app/console/author/span_edit.h"
#include "app/console/frame/panel.h"
#include "policies/rates.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>

#include <limits>

namespace app::console {

namespace {

constexpr std::int64_t kMinuteNs = 60'000'000'000;

/// 100 per 1 second.
class RateEdit : public ValueEdit {
public:
    RateEdit()
        : m_count(new NumberEdit(QStringLiteral("Rate: requests")))
        , m_period(new SpanEdit(QStringLiteral("Rate: per how many"), QStringLiteral("Rate: unit")))
    {
        m_count->setDigits(5);
        m_period->number().setDigits(2);
        m_period->number().setRange(1, std::numeric_limits<std::int64_t>::max());
        QHBoxLayout* row = rowOf(*this);
        row->addWidget(m_count);
        row->addWidget(plainLabel(QStringLiteral("per")));
        row->addWidget(m_period);
        row->addStretch(1);
        setFocusProxy(m_count);
        m_period->set(kMinuteNs);
        connect(m_count, &NumberEdit::edited, this, &ValueEdit::edited);
        connect(m_period, &SpanEdit::edited, this, &ValueEdit::edited);
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

/// A number of requests.
class CountEdit : public ValueEdit {
public:
    CountEdit(const QString& label, GetCount get, GetUsual usual)
        : m_get(std::move(get))
        , m_usual(std::move(usual))
        , m_number(new NumberEdit(label))
    {
        QHBoxLayout* row = rowOf(*this);
        row->addWidget(m_number);
        row->addWidget(plainLabel(QStringLiteral("requests")));
        row->addStretch(1);
        setFocusProxy(m_number);
        connect(m_number, &NumberEdit::edited, this, &ValueEdit::edited);
    }

    void show(const FieldSource& source) override
    {
        const QString usual = m_usual(source);
        m_number->setOptional(source.isOverride || !usual.isEmpty());
        m_number->setNumber(m_get(source), usual);
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
    GetCount m_get;
    GetUsual m_usual; ///< what holds where none is given
    NumberEdit* m_number;
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
        m_unit->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_unit->setMinimumContentsLength(9);
        m_unit->view()->setMinimumWidth(200); // what it opens is as wide as its longest
        QHBoxLayout* row = rowOf(*this);
        row->addWidget(m_number);
        row->addWidget(m_unit, 1);
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
    DurationEdit(const QString& label, GetTime get, const QString& usual)
        : m_get(get)
        , m_span(new SpanEdit(label, label + QStringLiteral(": unit")))
        , m_usual(usual)
    {
        m_span->number().setOptional(true);
        QHBoxLayout* row = rowOf(*this);
        row->addWidget(m_span);
        row->addStretch(1);
        setFocusProxy(m_span);
        connect(m_span, &SpanEdit::edited, this, &ValueEdit::edited);
    }

    void show(const FieldSource& source) override { m_span->set(m_get(source), m_usual); }

    [[nodiscard]] std::optional<std::string> written() const override
    {
        const auto ns = m_span->ns();
        return ns                        ? std::optional(policies::textOfDuration(*ns))
            : m_span->number().isEmpty() ? std::optional(std::string())
                                         : std::nullopt;
    }

    void setWrong(bool isWrong) override { m_span->number().setWrong(isWrong); }

private:
    GetTime m_get;
    SpanEdit* m_span;
    QString m_usual;
};

} // namespace

ValueEdit* makeRateEdit()
{
    return new RateEdit;
}

ValueEdit* makeBurstEdit()
{
    return new BurstEdit;
}

ValueEdit* makeCountEdit(const QString& label, GetCount get, GetUsual usual)
{
    return new CountEdit(label, std::move(get), std::move(usual));
}

ValueEdit* makeCountEdit(const QString& label, CountField field, const QString& usual)
{
    return makeCountEdit(
        label,
        [field](const FieldSource& source) {
            const auto& value = source.values.*field;
            return value ? std::optional(value->value) : std::nullopt;
        },
        [field, usual](const FieldSource& source) {
            const auto& own = source.rule.values.*field;
            return source.isOverride && own ? QString::number(own->value) : usual;
        });
}

ValueEdit* makeDurationEdit(const QString& label, GetTime get, const QString& usual)
{
    return new DurationEdit(label, get, usual);
}

} // namespace app::console
