#include "app/console/author/key_edit.h"

#include "app/console/author/number_edit.h"
#include "app/console/author/span_edit.h"
#include "app/console/frame/values.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QToolButton>

#include <algorithm>

namespace app::console {

namespace {

constexpr int kLeastCharacters = 8;

bool has(const std::vector<std::string>& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

KeyEdit::KeyEdit(QWidget* parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout(this))
    , m_add(new QToolButton)
{
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(6);
    m_add->setText(QStringLiteral("+"));
    m_add->setAccessibleName(QStringLiteral("Key: one more attribute"));
    m_add->setToolTip(m_add->accessibleName());
    m_add->setFocusPolicy(Qt::StrongFocus);
    m_row->addWidget(m_add);
    m_row->addStretch(1);
    connect(m_add, &QToolButton::clicked, this, [this] {
        const auto next = std::find_if(m_known.begin(), m_known.end(),
                                       [this](const auto& name) { return !has(m_key, name); });
        if (next != m_known.end()) {
            std::vector<std::string> longer = m_key;
            longer.push_back(*next);
            rebuild(longer);
            m_boxes.back()->setFocus();
            Q_EMIT edited();
        }
    });
}

void KeyEdit::set(const std::vector<std::string>& key, const std::vector<std::string>& known)
{
    std::vector<std::string> all = known;
    for (const std::string& name : key) {
        if (!has(all, name)) {
            all.push_back(name);
        }
    }
    if (m_isBuilt && all == m_known && key == m_key) {
        return; // lists that are open stay open
    }
    m_known = std::move(all);
    rebuild(key);
}

std::vector<std::string> KeyEdit::key() const
{
    return m_key;
}

void KeyEdit::setWrong(bool isWrong)
{
    for (QComboBox* const box : m_boxes) {
        markWrong(*box, isWrong);
    }
}

QComboBox* KeyEdit::addBox(const std::string& chosen)
{
    const bool isFirst = m_boxes.empty();
    auto* box = new QComboBox;
    nameList(*box, QStringLiteral("Key: attribute %1").arg(m_boxes.size() + 1));
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(kLeastCharacters);
    box->addItem(isFirst ? QStringLiteral("one bucket for all") : QStringLiteral("leave out"));
    for (const std::string& name : m_known) {
        box->addItem(shown(name, 100));
        if (name == chosen) {
            box->setCurrentIndex(box->count() - 1);
        }
    }
    connect(box, &QComboBox::activated, this, [this] {
        std::vector<std::string> chosenNames;
        for (const QComboBox* const one : m_boxes) {
            const int at = one->currentIndex() - 1;
            if (at >= 0 && !has(chosenNames, m_known[static_cast<std::size_t>(at)])) {
                chosenNames.push_back(m_known[static_cast<std::size_t>(at)]);
            }
        }
        if (chosenNames != m_key) {
            m_key = chosenNames;
            Q_EMIT edited();
        }
    });
    m_row->insertWidget(static_cast<int>(m_boxes.size()), box, 1);
    m_boxes.push_back(box);
    box->show(); // at once: it may be given the focus
    return box;
}

void KeyEdit::rebuild(const std::vector<std::string>& key)
{
    m_isBuilt = true;
    m_key = key;
    for (QComboBox* const box : m_boxes) {
        m_row->removeWidget(box);
        box->hide();
        box->deleteLater(); // one of them may have asked for this
    }
    m_boxes.clear();
    for (const std::string& name : key) {
        addBox(name);
    }
    if (key.empty()) {
        addBox({});
    }
    m_add->setEnabled(!key.empty());
    setFocusProxy(m_boxes.front());
}

} // namespace app::console
