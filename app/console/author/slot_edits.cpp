#include "app/console/author/slot_edits.h"

#include "app/console/author/limit_edits.h"
#include "app/console/author/number_edit.h"
#include "app/console/author/option_edits.h"
#include "app/console/author/span_edit.h"
#include "app/console/frame/values.h"
#include "policies/plan_rule.h"
#include "policies/rates.h"

#include <QComboBox>
#include <QHBoxLayout>

namespace app::console {

namespace {

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

std::string asItIs(std::string_view text)
{
    return std::string(text);
}

} // namespace

ValueEdit* makeBoundEdit(const QString& label, BoundField field, UsualBound usual)
{
    return makeCountEdit(
        label,
        [field](const FieldSource& source) {
            const auto& value = source.rule.*field;
            return value ? std::optional(value->value) : std::nullopt;
        },
        [usual](const FieldSource& source) {
            engine::Limit limit;
            if (const auto plan = policies::planRule(source.rule)) {
                limit = plan->limit;
            }
            return QString::number(limit.*usual);
        });
}

ValueEdit* makeStrategyEdit()
{
    return new StrategyEdit;
}

ValueEdit* makeClassesEdit()
{
    return makeLineEdit(
        QStringLiteral("Classes"),
        QStringLiteral("[{ name: batch, match: { path: /export }, up_to: 50% }]"),
        [](const policies::Rule& rule) {
            return rule.classes ? policies::textOfClasses(rule) : std::string();
        },
        asItIs);
}

ValueEdit* makeTightenEdit()
{
    return makeLineEdit(QStringLiteral("Tighten"),
                        QStringLiteral("{ rule: NAME, above: 80%, factor: 2 }"),
                        policies::textOfTighten, asItIs);
}

} // namespace app::console
