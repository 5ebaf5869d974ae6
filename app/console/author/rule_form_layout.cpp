// How the form is put together, and where the focus is; what it shows and writes is in
// rule_form.cpp.
#include "app/console/author/key_edit.h"
#include "app/console/author/match_editor.h"
#include "app/console/author/rule_form.h"
#include "app/console/author/sentence_box.h"
#include "app/console/author/span_edit.h"
#include "app/console/frame/button.h"
#include "app/console/frame/segments.h"
#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"
#include "policies/rates.h"
#include "policies/rule_fields.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace app::console {

namespace {

QLabel* errorLabel()
{
    QLabel* label = captionLabel({});
    label->setForegroundRole(QPalette::WindowText);
    label->setProperty("problem", true); // theme.cpp
    label->setWordWrap(true);
    label->hide();
    return label;
}

} // namespace

RuleForm::RuleForm(PolicyDesk& desk, QWidget* parent)
    : Panel(QStringLiteral("Rule"), parent)
    , m_desk(desk)
    , m_scroll(new QScrollArea)
    , m_content(new QWidget)
    , m_empty(captionLabel(QStringLiteral("Choose a rule, or add one with Ctrl+Shift+N.")))
    , m_form(new QGridLayout)
    , m_sentence(new SentenceBox)
    , m_problem(errorLabel())
    , m_parts(new QComboBox)
    , m_name(new QLineEdit)
    , m_matches(new QLineEdit)
    , m_editMatch(plainButton(QStringLiteral("Edit...")))
    , m_match(new MatchEditor)
    , m_key(new KeyEdit)
    , m_algorithm(new QComboBox)
    , m_mode(
          new Segments({QStringLiteral("enforce"), QStringLiteral("shadow"), QStringLiteral("off")},
                       QStringLiteral("Mode")))
    , m_more(new QToolButton)
{
    build();
    for (QWidget* const widget : m_content->findChildren<QWidget*>()) {
        widget->installEventFilter(this);
    }
    connect(qApp, &QApplication::focusChanged, this,
            [this](QWidget*, QWidget* now) { follow(now); });
    refresh();
}

void RuleForm::build()
{
    // Not a QFormLayout: that of Qt 6.4 writes beyond its memory where rows are hidden and others
    // have wrapped text.
    m_form->setColumnStretch(1, 1);
    m_form->setHorizontalSpacing(8);
    m_form->setVerticalSpacing(4);
    buildHead();
    buildMatch();
    buildValues();
    buildMore();
    auto* body = new QVBoxLayout(m_content);
    body->setContentsMargins(12, 8, 12, 8);
    body->setSpacing(8);
    body->addWidget(m_sentence);
    body->addWidget(m_problem);
    body->addLayout(m_form);
    body->addStretch(1);
    auto* both = new QWidget;
    auto* stack = new QVBoxLayout(both);
    stack->setContentsMargins(0, 0, 0, 0);
    m_empty->setContentsMargins(12, 10, 12, 10);
    m_empty->setAlignment(Qt::AlignTop);
    m_empty->setWordWrap(true);
    stack->addWidget(m_empty);
    stack->addWidget(m_content, 1);
    m_scroll->setWidget(both);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->viewport()->setAutoFillBackground(false);
    both->setAutoFillBackground(false);
    setBody(m_scroll);
}

RuleForm::Row& RuleForm::addRow(const std::string& field, const QString& label, QWidget* widget)
{
    Row row;
    row.label = plainLabel(label);
    row.label->setForegroundRole(QPalette::PlaceholderText);
    row.label->setToolTip(plainTip(words(policies::ruleFieldDescription(field))));
    row.label->setBuddy(widget);
    row.holder = new QWidget;
    row.error = errorLabel();
    auto* column = new QVBoxLayout(row.holder);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(widget);
    column->addWidget(row.error);
    const int number = m_form->rowCount();
    row.label->setMinimumHeight(widget->sizeHint().height());
    m_form->addWidget(row.label, number, 0, Qt::AlignRight | Qt::AlignTop);
    m_form->addWidget(row.holder, number, 1);
    return m_rows.emplace(field, row).first->second;
}

void RuleForm::buildHead()
{
    nameList(*m_parts, QStringLiteral("For whom"));
    addRow("overrides", QStringLiteral("For"), m_parts);
    m_name->setAccessibleName(QStringLiteral("Name"));
    addRow("name", QStringLiteral("Name"), m_name);
    connect(m_name, &QLineEdit::editingFinished, this, &RuleForm::rename);
    connect(m_parts, &QComboBox::activated, this, [this](int index) {
        m_override = m_parts->itemData(index).toByteArray().toStdString();
        m_refused.clear();
        refresh();
    });
}

void RuleForm::buildMatch()
{
    m_matches->setReadOnly(true);
    m_matches->setAccessibleName(QStringLiteral("Matches"));
    m_editMatch->setProperty("small", true);
    m_editMatch->setCheckable(true);
    m_editMatch->setAccessibleName(QStringLiteral("Edit what it matches"));
    m_match->hide();
    auto* both = new QWidget;
    auto* column = new QVBoxLayout(both);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* line = new QHBoxLayout;
    line->addWidget(m_matches, 1);
    line->addWidget(m_editMatch);
    column->addLayout(line);
    column->addWidget(m_match);
    both->setFocusProxy(m_editMatch);
    addRow("match", QStringLiteral("Matches"), both);
    connect(m_editMatch, &QPushButton::clicked, this, [this](bool isOpen) {
        m_match->setVisible(isOpen);
        if (isOpen) {
            m_match->focusFirst();
        }
    });
    connect(m_match, &MatchEditor::changed, this, &RuleForm::changeMatch);
    connect(m_match, &MatchEditor::refused, this, [this] {
        take("match",
             engine::fail("console.quotes", "the double quotes of these values are not in order",
                          "write `\"a, b\", c`; a double quote within them twice"));
    });
}

void RuleForm::buildValues()
{
    addRow("key", QStringLiteral("Key"), m_key);
    connect(m_key, &KeyEdit::edited, this, [this] {
        std::string names;
        for (const std::string& name : m_key->key()) {
            names += (names.empty() ? "" : ", ") + policies::textOfName(name);
        }
        write("key", "[" + names + "]");
    });
    nameList(*m_algorithm, QStringLiteral("Algorithm"));
    for (const engine::Algorithm algorithm : policies::algorithms()) {
        m_algorithm->addItem(words(engine::nameOf(algorithm)), static_cast<int>(algorithm));
    }
    m_algorithm->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    addRow("algorithm", QStringLiteral("Algorithm"), m_algorithm);
    connect(m_algorithm, &QComboBox::activated, this, &RuleForm::changeAlgorithm);
    for (const engine::Algorithm algorithm : policies::algorithms()) {
        for (const policies::LimitField& field : policies::limitFields(algorithm)) {
            const std::string name(field.name);
            if (!m_rows.contains(name)) {
                ValueEdit* const edit = makeValueEdit(name);
                addRow(name, labelOf(name), edit).edit = edit;
            }
        }
    }
    m_mode->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    addRow("mode", QStringLiteral("Mode"), m_mode);
    connect(m_mode, &Segments::chosen, this, &RuleForm::changeMode);
}

void RuleForm::buildMore()
{
    m_more->setAccessibleName(QStringLiteral("More fields"));
    m_more->setCheckable(true);
    m_more->setAutoRaise(true);
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_more->setFocusPolicy(Qt::StrongFocus);
    m_more->setFont(fontOf(Type::Small));
    addRow("more", QStringLiteral("More"), m_more);
    for (const char* const name : {"cost", "tighten", "status", "on_store_failure", "note"}) {
        ValueEdit* const edit = makeValueEdit(name);
        addRow(name, labelOf(name), edit).edit = edit;
    }
    connect(m_more, &QToolButton::toggled, this, &RuleForm::refresh);
    for (const auto& [name, row] : m_rows) {
        if (row.edit != nullptr) {
            connect(row.edit, &ValueEdit::edited, this, [this, field = name, edit = row.edit] {
                if (const auto value = edit->written()) {
                    write(field, *value);
                }
            });
        }
    }
}

void RuleForm::setRowShown(const std::string& field, bool isShown)
{
    const Row& row = m_rows.at(field);
    row.label->setVisible(isShown);
    row.holder->setVisible(isShown);
}

void RuleForm::focusFirst()
{
    m_name->setFocus(Qt::ShortcutFocusReason);
}

void RuleForm::focusName()
{
    focusFirst();
    m_name->selectAll();
}

bool RuleForm::eventFilter(QObject* watched, QEvent* event)
{
    const auto* const widget = qobject_cast<QWidget*>(watched);
    if (event->type() == QEvent::Wheel && widget != nullptr && !widget->hasFocus()) {
        event->ignore(); // scrolls the form, and changes no value by the way
        return true;
    }
    return Panel::eventFilter(watched, event);
}

/// The focus has gone to another widget of the window.
void RuleForm::follow(QWidget* now)
{
    const bool wasOurs = !m_focused.empty();
    m_focused.clear();
    if (now != nullptr && m_content->isAncestorOf(now)) {
        for (const auto& [field, row] : m_rows) {
            m_focused = row.holder->isAncestorOf(now) ? field : m_focused;
        }
        m_scroll->ensureWidgetVisible(now, 10, 10);
    }
    if (wasOurs && m_focused.empty()) {
        Q_EMIT valueFocused(0, 0);
    }
    markFocused();
}

void RuleForm::markFocused()
{
    const policies::Rule* const rule = current();
    if (m_focused.empty() || rule == nullptr || !m_desk.isCurrent()) {
        return;
    }
    const policies::Override* const own = override(*rule);
    const auto span = spanOf(*rule, own == nullptr ? rule->values : own->values, m_focused);
    if (span && span->source == 0) {
        Q_EMIT valueFocused(span->begin, span->end);
    } else {
        Q_EMIT valueFocused(0, 0);
    }
}

void RuleForm::markFieldAt(std::size_t byte)
{
    const policies::Rule* const rule = current();
    for (auto& [field, row] : m_rows) {
        const auto span = rule == nullptr || !m_desk.isCurrent()
            ? std::nullopt
            : spanOf(*rule, rule->values, field);
        const bool isThere = span && byte >= span->begin && byte <= span->end;
        row.label->setForegroundRole(isThere ? QPalette::Link : QPalette::PlaceholderText);
    }
}

/// What takes the focus, as it stands: from top to bottom, from left to right.
std::vector<QWidget*> RuleForm::focusOrder() const
{
    std::vector<QWidget*> order;
    for (QWidget* const widget : m_content->findChildren<QWidget*>()) {
        const bool isPart = widget->focusProxy() != nullptr
            || qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) != nullptr;
        const bool isThere = widget->isVisible() && widget->isEnabled()
            && (widget->focusPolicy() & Qt::TabFocus) != 0;
        if (isThere && !isPart) {
            order.push_back(widget);
        }
    }
    const auto middle = [this](const QWidget* widget) {
        return widget->mapTo(m_content, widget->rect().center());
    };
    std::sort(order.begin(), order.end(),
              [&](const QWidget* a, const QWidget* b) { return middle(a).y() < middle(b).y(); });
    // Lines: what is less than half a field below the first of a line stands beside it.
    constexpr int kLine = 12;
    for (auto line = order.begin(); line != order.end();) {
        const int y = middle(*line).y();
        const auto end = std::find_if(line, order.end(), [&](const QWidget* widget) {
            return middle(widget).y() - y >= kLine;
        });
        std::sort(line, end, [&](const QWidget* a, const QWidget* b) {
            return middle(a).x() < middle(b).x();
        });
        line = end;
    }
    return order;
}

/// Fields come and go, so the order is that of their places, not of their making.
bool RuleForm::focusNextPrevChild(bool next)
{
    const std::vector<QWidget*> order = focusOrder();
    const auto at = std::find(order.begin(), order.end(), QApplication::focusWidget());
    if (at == order.end() || (next ? at + 1 == order.end() : at == order.begin())) {
        return Panel::focusNextPrevChild(next);
    }
    (next ? at[1] : at[-1])->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return true;
}

void RuleForm::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) {
        Q_EMIT left();
        return;
    }
    Panel::keyPressEvent(event);
}

} // namespace app::console
