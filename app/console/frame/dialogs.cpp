#include "app/console/frame/dialogs.h"

#include <QFileDialog>
#include <QMessageBox>

namespace app::console {

SaveAnswer askWhetherToSave(QWidget* parent, const QString& question)
{
    QMessageBox box(QMessageBox::NoIcon, QStringLiteral("Weir Console"), question,
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, parent);
    box.setTextFormat(Qt::PlainText);
    box.setDefaultButton(QMessageBox::Save);
    box.setEscapeButton(QMessageBox::Cancel);
    switch (box.exec()) {
    case QMessageBox::Save:
        return SaveAnswer::Save;
    case QMessageBox::Discard:
        return SaveAnswer::Discard;
    default:
        return SaveAnswer::Cancel;
    }
}

QString askForSavePath(QWidget* parent, const QString& title, const QString& proposal,
                       const QString& filter)
{
    return QFileDialog::getSaveFileName(parent, title, proposal, filter);
}

QStringList askForPaths(QWidget* parent, const QString& title, const QString& filter, bool many)
{
    if (many) {
        return QFileDialog::getOpenFileNames(parent, title, {}, filter);
    }
    const QString path = QFileDialog::getOpenFileName(parent, title, {}, filter);
    return path.isEmpty() ? QStringList() : QStringList {path};
}

QWidget* firstFocusable(QWidget* pane)
{
    if (pane->focusProxy() != nullptr && pane->focusProxy()->isVisible()) {
        return pane->focusProxy();
    }
    for (QWidget* child : pane->findChildren<QWidget*>()) {
        if ((child->focusPolicy() & Qt::TabFocus) != 0 && child->isEnabled()
            && child->isVisibleTo(pane)) {
            return child;
        }
    }
    return pane;
}

} // namespace app::console
