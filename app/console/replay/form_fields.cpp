#include "app/console/replay/form_fields.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSignalBlocker>

namespace app::console {

void arrange(QFormLayout& layout)
{
    layout.setContentsMargins(0, 0, 0, 0);
    layout.setVerticalSpacing(4);
    layout.setHorizontalSpacing(8);
    layout.setLabelAlignment(Qt::AlignRight | Qt::AlignVCenter);
    layout.setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
}

void nameField(QWidget& field, const char* label, const char* option, const char* tip)
{
    field.setObjectName(QString::fromLatin1(option));
    field.setAccessibleName(QString::fromUtf8(label));
    field.setToolTip(QString::fromUtf8(tip));
}

QLineEdit* addLine(QFormLayout& layout, const char* label, const char* option,
                   const char* placeholder, const char* tip)
{
    auto* field = new QLineEdit;
    nameField(*field, label, option, tip);
    field->setPlaceholderText(QString::fromUtf8(placeholder));
    layout.addRow(QString::fromUtf8(label), field);
    return field;
}

QComboBox* choiceOf(const char* label, const char* option, const QStringList& choices,
                    const char* tip)
{
    auto* field = new QComboBox;
    nameField(*field, label, option, tip);
    field->view()->setAccessibleName(field->accessibleName());
    field->addItems(choices);
    field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    field->setMinimumContentsLength(12);
    return field;
}

QComboBox* addChoice(QFormLayout& layout, const char* label, const char* option,
                     const QStringList& choices, const char* tip)
{
    QComboBox* const field = choiceOf(label, option, choices, tip);
    layout.addRow(QString::fromUtf8(label), field);
    return field;
}

QComboBox* addWritable(QFormLayout& layout, const char* label, const char* option,
                       const QStringList& choices, const char* tip)
{
    QComboBox* const field = addChoice(layout, label, option, choices, tip);
    field->setEditable(true);
    field->lineEdit()->setAccessibleName(field->accessibleName());
    return field;
}

QString chosenText(const QComboBox& box)
{
    return box.currentText() == box.itemText(0) ? QString() : box.currentText();
}

void setUsual(QComboBox& box, const QString& text)
{
    const QSignalBlocker quiet(box);
    const QString written = chosenText(box);
    box.setItemText(0, text);
    if (box.isEditable()) {
        box.setEditText(written.isEmpty() ? text : written);
    }
}

void setOthers(QComboBox& box, const QStringList& others)
{
    const QSignalBlocker quiet(box);
    const QString now = box.currentText();
    while (box.count() > 1) {
        box.removeItem(1);
    }
    box.addItems(others);
    box.setCurrentText(now);
}

void addText(GivenOptions& given, const char* option, const QString& text)
{
    if (!text.trimmed().isEmpty()) {
        given.add(option, text.trimmed().toStdString());
    }
}

} // namespace app::console
