#include "app/console/exporting/export_page.h"

#include "app/console/frame/button.h"
#include "app/console/frame/figure_model.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/text_view.h"
#include "app/console/frame/values.h"
#include "app/console/session/session.h"
#include "app/workbench/files.h"
#include "app/workbench/line_diff.h"
#include "app/workbench/version.h"
#include "policies/canonical.h"
#include "policies/diff.h"
#include "policies/read.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace app::console {

/// What the worker brings back.
struct ExportPage::Exported {
    std::optional<std::string> text;
    std::optional<engine::Diagnostic> problem;
    std::size_t errors = 0;
    std::string lines; ///< the file on disk and the text, as a unified difference
    std::vector<policies::Difference> differences; ///< what the file says and what is open
};

namespace {

FigureTable wordsTable(const std::vector<policies::Difference>& differences)
{
    FigureTable table {"differences",
                       "Differences",
                       {{"what", "What", TextTable::Align::Left},
                        {"name", "Name", TextTable::Align::Left},
                        {"difference", "Difference", TextTable::Align::Left}}};
    for (const policies::Difference& one : differences) {
        table.add({Cell::words(one.what), Cell::value(one.name), Cell::value(one.text)});
    }
    return table;
}

} // namespace

ExportPage::ExportPage(Session& session, Actions& actions, QWidget* parent)
    : Page(session, actions, PageId::Export, parent)
    , m_textPanel(new Panel(QStringLiteral("Canonical YAML")))
    , m_view(new TextView(QStringLiteral("Canonical text"), TextView::Colours::Yaml))
    , m_empty(plainLabel({}))
    , m_linesPanel(new Panel(QStringLiteral("Difference to the file on disk")))
    , m_lines(new TextView(QStringLiteral("Difference to the file on disk"),
                           TextView::Colours::Difference))
    , m_wordsPanel(new Panel(QStringLiteral("In words")))
    , m_words(new FigureView(QStringLiteral("What differs, in words")))
    , m_wordsModel(new FigureModel(this))
{
    head().setTitle(QStringLiteral("Export"));
    auto* primary = new ActionButton(actions.at(ActionId::SaveList), Rank::Primary);
    primary->setLabel(QStringLiteral("Save as..."));
    head().add(primary);

    auto* text = new QWidget;
    auto* column = new QVBoxLayout(text);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_view, 1);
    column->addWidget(m_empty, 1);
    m_empty->setAlignment(Qt::AlignCenter);
    m_textPanel->setBody(text);
    m_textPanel->addTool(new ActionButton(actions.at(ActionId::CopyAsText)));

    QSplitter* body = splitter(Qt::Horizontal, {m_textPanel, buildRight()});
    body->setSizes({700, 680});
    setBody(body);
    connect(&session.document(), &Document::checkedChanged, this, [this] {
        if (isVisible()) {
            refresh();
        }
    });
    refresh();
}

QWidget* ExportPage::buildRight()
{
    m_linesPanel->setBody(m_lines);
    m_words->setModel(m_wordsModel);
    m_wordsPanel->setBody(m_words);
    return splitter(Qt::Vertical, {m_linesPanel, m_wordsPanel});
}

void ExportPage::entered()
{
    refresh();
}

void ExportPage::refresh()
{
    Document& document = session().document();
    if (!document.isOpen()) {
        Exported none;
        none.problem = engine::Diagnostic {};
        none.problem->message = "Open a policy to export it.";
        show(std::move(none));
        return;
    }
    m_name = document.fileName().toStdString();
    m_worker.start(
        [source = document.source(), saved = document.savedBytes(),
         name = m_name](const StopFlag&) mutable {
            Exported exported;
            const engine::Result<LoadedPolicy> loaded = source.load();
            if (!loaded || !loaded->isValid()) {
                exported.problem = loaded ? loaded->diagnostics.front() : loaded.error();
                exported.errors = loaded ? static_cast<std::size_t>(std::count_if(
                                      loaded->diagnostics.begin(), loaded->diagnostics.end(),
                                      [](const engine::Diagnostic& one) {
                                          return one.severity == engine::Severity::Error;
                                      }))
                                         : 1;
                return exported;
            }
            engine::Result<std::string> text
                = policies::canonical(*loaded->policy, loaded->fingerprint, kVersion);
            if (!text) {
                exported.problem = text.error();
                exported.errors = 1;
                return exported;
            }
            exported.text = std::move(*text);
            exported.lines = lineDiff(name, saved, *exported.text);
            if (const policies::Checked before = policies::read(name, saved); before.policy) {
                exported.differences = policies::diff(*before.policy, *loaded->policy);
            }
            return exported;
        },
        [this](Exported exported) { show(std::move(exported)); });
}

void ExportPage::show(Exported exported)
{
    const Document& document = session().document();
    m_text = std::move(exported.text);
    m_view->setVisible(m_text.has_value());
    m_empty->setVisible(!m_text.has_value());
    if (!m_text) {
        m_empty->setText(!document.isOpen()
                             ? words(exported.problem->message)
                             : QStringLiteral("Fix %1 to export.\n\n%2")
                                   .arg(plural(exported.errors, QStringLiteral("error"),
                                               QStringLiteral("errors")),
                                        sentence(*exported.problem)));
        m_lines->clear();
        m_wordsModel->setTable({});
        m_textPanel->setCaption({});
        m_linesPanel->setCaption({});
        m_wordsPanel->setCaption({});
        Q_EMIT actionsChanged();
        return;
    }
    m_view->setBytes(*m_text);
    const auto lines = static_cast<std::uint64_t>(std::count(m_text->begin(), m_text->end(), '\n'));
    QString caption = QStringLiteral("%1, read-only")
                          .arg(plural(lines, QStringLiteral("line"), QStringLiteral("lines")));
    if (m_view->linesLeftOut() > 0) {
        caption += QStringLiteral("; the first %1 are shown, Save as... writes all")
                       .arg(countText(TextView::kMostLines));
    }
    m_textPanel->setCaption(caption);
    const bool hasFile = !document.savedBytes().empty();
    m_lines->setBytes(exported.lines);
    m_linesPanel->setCaption(!hasFile                     ? QStringLiteral("it was never saved")
                                 : exported.lines.empty() ? QStringLiteral("none")
                                                          : QString());
    m_wordsModel->setTable(wordsTable(exported.differences));
    m_words->fitColumns(2);
    m_wordsPanel->setCaption(!hasFile ? QStringLiteral("it was never saved")
                                 : exported.differences.empty()
                                 ? QStringLiteral("the file says the same, in another form or not")
                                 : plural(exported.differences.size(),
                                          QStringLiteral("difference in meaning"),
                                          QStringLiteral("differences in meaning")));
    head().setCaption(QStringLiteral("%1, what `weir export` writes").arg(document.fileName()));
    Q_EMIT actionsChanged();
}

void ExportPage::save()
{
    const QString base = QFileInfo(QString::fromStdString(m_name)).completeBaseName();
    const QString path = askSavePath(QStringLiteral("Save canonical text as"),
                                     base + QStringLiteral(".canonical.yaml"),
                                     QStringLiteral("Policies (*.yaml *.yml)"));
    if (path.isEmpty()) {
        return;
    }
    if (const engine::Status written = writeFile(path.toStdString(), *m_text); !written) {
        banners().show({QStringLiteral("save"), BannerKind::Error, sentence(written.error())});
        return;
    }
    session().say(QStringLiteral("Saved %1").arg(shown(path.toStdString(), 200)));
}

QList<QWidget*> ExportPage::panes() const
{
    return {m_view, m_lines, m_words};
}

std::vector<ActionId> ExportPage::offers() const
{
    return {ActionId::SaveList, ActionId::CopyAsText};
}

bool ExportPage::can(ActionId) const
{
    return m_text.has_value();
}

void ExportPage::perform(ActionId action)
{
    if (action == ActionId::SaveList) {
        save();
    } else if (action == ActionId::CopyAsText) {
        QApplication::clipboard()->setText(words(*m_text));
    }
}

} // namespace app::console
