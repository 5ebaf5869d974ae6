#include "app/console/frame/button.h"
#include "app/console/frame/figure_model.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/panel.h"
#include "app/console/look/fonts.h"
#include "app/console/suggest/curve_chart.h"
#include "app/console/suggest/suggest_page.h"

#include <QAction>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSplitter>
#include <QVBoxLayout>

// How the page of suggestions is laid out.
namespace app::console {

namespace {

void addRow(QFormLayout& form, const QString& name, QWidget* field)
{
    auto* label = plainLabel(name);
    label->setBuddy(field);
    label->setForegroundRole(QPalette::PlaceholderText);
    field->setAccessibleName(name);
    form.addRow(label, field);
}

} // namespace

QWidget* SuggestPage::buildLeft()
{
    m_chartPanel->addTool(captionLabel(QStringLiteral("Left, Right: next candidate")));
    auto* scale = plainButton(QStringLiteral("Log scale"));
    scale->setCheckable(true);
    scale->setChecked(true);
    connect(scale, &QPushButton::toggled, m_chart, &CurveChart::setLogScale);
    connect(actions().at(ActionId::LogScale), &QAction::triggered, scale, [this, scale] {
        if (isVisible()) {
            scale->toggle();
        }
    });
    m_chartPanel->addTool(scale);
    m_chartPanel->setBody(m_chart);
    m_candidates->setModel(m_candidatesModel);
    m_candidates->setSelectionMode(QAbstractItemView::SingleSelection);
    auto* save = new ActionButton(actions().at(ActionId::SaveList));
    save->setLabel(QStringLiteral("Save..."));
    m_candidatesPanel->addTool(save);
    m_candidatesPanel->setBody(m_candidates);
    QSplitter* left = splitter(Qt::Vertical, {m_chartPanel, m_candidatesPanel});
    left->setStretchFactor(0, 3);
    left->setStretchFactor(1, 2);
    left->setSizes({470, 300});
    return left;
}

QWidget* SuggestPage::buildRight()
{
    for (QLabel* label : {m_key, m_match, m_algorithm, m_sentence, m_more}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto* look = new Panel(QStringLiteral("Look at"));
    auto* fields = new QWidget;
    auto* form = new QFormLayout(fields);
    form->setContentsMargins(0, 0, 0, 0);
    form->setLabelAlignment(Qt::AlignRight | Qt::AlignVCenter);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_rule->setMinimumContentsLength(12);
    m_run->setMinimumContentsLength(12);
    m_run->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_rule->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    addRow(*form, QStringLiteral("Rule"), m_rule);
    addRow(*form, QStringLiteral("Log of"), m_run);
    addRow(*form, QStringLiteral("Matches"), m_match);
    addRow(*form, QStringLiteral("Key"), m_key);
    addRow(*form, QStringLiteral("Limit now"), m_algorithm);
    m_stop->setPlaceholderText(QStringLiteral("api_key=k_80aa14"));
    m_protect->setPlaceholderText(QStringLiteral("plan=pro"));
    m_stop->setToolTip(QStringLiteral("Requests that the limit is to reject"));
    m_protect->setToolTip(QStringLiteral("Requests that it must not"));
    addRow(*form, QStringLiteral("Stop"), m_stop);
    addRow(*form, QStringLiteral("Protect"), m_protect);
    look->setBody(fields, true);

    m_peaks->setModel(m_peaksModel);
    m_peaks->setFixedHeight(6 * rowHeight() + 4);
    m_peaksPanel->setCaption(QStringLiteral("rolling windows"));
    m_peaksPanel->setBody(m_peaks);

    auto* says = new Panel(QStringLiteral("At the line"));
    auto* text = new QWidget;
    auto* column = new QVBoxLayout(text);
    column->setContentsMargins(0, 0, 0, 0);
    m_sentence->setFont(fontOf(Type::Strong));
    m_more->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(m_sentence);
    column->addWidget(m_more);
    column->addStretch(1);
    column->addWidget(m_write, 0, Qt::AlignRight);
    says->setBody(text, true);

    auto* right = new QWidget;
    auto* layout = new QVBoxLayout(right);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(look);
    layout->addWidget(m_peaksPanel);
    layout->addWidget(says, 1);
    right->setMinimumWidth(320);
    return right;
}

} // namespace app::console
