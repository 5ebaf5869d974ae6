#include "app/console/frame/help.h"

#include "app/console/frame/actions.h"
#include "app/console/frame/figure_model.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/page.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/text_view.h"
#include "app/console/frame/values.h"
#include "app/workbench/version.h"
#include "policies/advice.h"

#include <QAction>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

#include <array>
#include <utility>

namespace app::console {

namespace {

void showDialog(QWidget* parent, const QString& title, QWidget* body, QSize size)
{
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(body, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    layout->addWidget(buttons);
    dialog->resize(size);
    dialog->open();
}

FigureView* tableOf(FigureTable table, const QString& name)
{
    auto* model = new FigureModel;
    model->setTable(std::move(table));
    auto* view = new FigureView(name);
    model->setParent(view);
    view->setModel(model);
    view->fitColumns(static_cast<int>(model->columnCount()) - 1);
    return view;
}

std::string plainName(const char* text)
{
    return QString::fromLatin1(text).remove(QLatin1Char('&')).toStdString();
}

} // namespace

void showHelp(QWidget* parent)
{
    static constexpr std::array<std::pair<const char*, const char*>, 7> kPages {
        {{"Author",
          "Write the limits: cards by tier, a form for each rule, and the text beside them."},
         {"Replay",
          "Choose recorded logs and decide them by the policy, in shadow: nothing is sent "
          "anywhere."},
         {"Runs", "What a replay would have rejected, by rule and key, over time."},
         {"Compare", "Two runs, or a run and what production did: who is newly rejected."},
         {"Explain",
          "Why one request was rejected, rule by rule; what one key met; what would be enough."},
         {"Suggest", "What each limit would cost, from what clients did."},
         {"Export", "The validated policy, and what differs from the file."}}};
    FigureTable table {"pages",
                       "Pages",
                       {{"page", "Page", TextTable::Align::Left},
                        {"what", "What it is for", TextTable::Align::Left}}};
    for (const auto& [page, what] : kPages) {
        table.add({Cell::words(page), Cell::words(what)});
    }
    showDialog(parent, QStringLiteral("Contents"),
               tableOf(std::move(table), QStringLiteral("Pages and what they are for")),
               {760, 320});
}

void showKeys(QWidget* parent)
{
    FigureTable table {"keys",
                       "Keys",
                       {{"menu", "Menu", TextTable::Align::Left},
                        {"action", "Action", TextTable::Align::Left},
                        {"keys", "Keys", TextTable::Align::Left}}};
    for (const ActionRow& row : actionTable()) {
        std::string keys;
        for (const char* key : row.keys) {
            keys += (keys.empty() ? "" : ", ") + std::string(key);
        }
        table.add({Cell::words(plainName(row.menu)), Cell::words(plainName(row.text)),
                   Cell::words(keys)});
    }
    showDialog(parent, QStringLiteral("Keys"),
               tableOf(std::move(table), QStringLiteral("All actions and their keys")), {640, 560});
}

void showAdvice(QWidget* parent, const std::string& code)
{
    const policies::AdviceCode* advice = policies::adviceCode(code);
    if (advice == nullptr) {
        return;
    }
    QLabel* label
        = plainLabel(QStringLiteral("%1\n\n%2\n\nWhat to do: %3")
                         .arg(words(advice->title), words(advice->reason), words(advice->fix)));
    label->setWordWrap(true);
    label->setMargin(12);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    showDialog(parent, words(advice->code), label, {560, 260});
}

void showDifferences(QWidget* parent, const QString& title, FigureTable inWords,
                     const std::string& lines)
{
    auto* view = new TextView(QStringLiteral("Line by line"), TextView::Colours::Difference);
    view->setBytes(lines.empty() ? std::string("The texts are the same.") : lines);
    FigureView* table = tableOf(std::move(inWords), QStringLiteral("In words"));
    showDialog(parent, title, splitter(Qt::Vertical, {table, view}), {820, 560});
}

void showAbout(QWidget* parent)
{
    QLabel* label = plainLabel(
        QStringLiteral("Weir Console %1\n\nA dry run for API rate limits: recorded requests, "
                       "decided by a policy, before production is.\n\n"
                       "Free software under the GNU General Public License, version 3 or later. "
                       "It comes without any warranty.")
            .arg(QString::fromUtf8(kVersion.data(), static_cast<qsizetype>(kVersion.size()))));
    label->setWordWrap(true);
    label->setMargin(12);
    showDialog(parent, QStringLiteral("About"), label, {460, 220});
}

} // namespace app::console
