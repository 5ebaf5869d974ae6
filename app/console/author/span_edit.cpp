#include "app/console/author/span_edit.h"

#include "app/console/author/number_edit.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>

#include <array>

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

QComboBox* unitCombo(const QString& name)
{
    QStringList names;
    for (const Unit& unit : kUnits) {
        names << QString::fromLatin1(unit.name);
    }
    return comboOf(names, name);
}

} // namespace

QComboBox* comboOf(const QStringList& items, const QString& name)
{
    auto* combo = new QComboBox;
    combo->addItems(items);
    nameList(*combo, name);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return combo;
}

void nameList(QComboBox& list, const QString& name)
{
    list.setAccessibleName(name);
    list.view()->setAccessibleName(name);
}

QHBoxLayout* rowOf(QWidget& owner)
{
    auto* row = new QHBoxLayout(&owner);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    return row;
}

SpanEdit::SpanEdit(const QString& name, const QString& unitName, QWidget* parent)
    : QWidget(parent)
    , m_number(new NumberEdit(name))
    , m_unit(unitCombo(unitName))
{
    QHBoxLayout* row = rowOf(*this);
    row->addWidget(m_number);
    row->addWidget(m_unit);
    setFocusProxy(m_number);
    connect(m_number, &NumberEdit::edited, this, &SpanEdit::edited);
    connect(m_unit, &QComboBox::activated, this, [this] {
        if (!m_number->isEmpty()) {
            Q_EMIT edited();
        }
    });
}

void SpanEdit::set(std::optional<std::int64_t> time, const QString& placeholder)
{
    if (!time) {
        m_number->setNumber(std::nullopt, placeholder);
        return;
    }
    if (ns() == time) {
        return;
    }
    const std::size_t at = unitOf(*time);
    m_number->setNumber(*time / kUnits[at].ns);
    m_unit->setCurrentIndex(static_cast<int>(at));
}

std::optional<std::int64_t> SpanEdit::ns() const
{
    const std::int64_t one = kUnits[static_cast<std::size_t>(m_unit->currentIndex())].ns;
    std::int64_t product = 0;
    const auto count = m_number->number();
    return count && !__builtin_mul_overflow(*count, one, &product) ? std::optional(product)
                                                                   : std::nullopt;
}

} // namespace app::console
