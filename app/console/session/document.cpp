#include "app/console/session/document.h"

#include "app/console/frame/values.h"
#include "app/console/session/recovery.h"
#include "policies/advice.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QPlainTextDocumentLayout>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTextDocument>
#include <QTimer>

#include <algorithm>

/// The open policy's text and what checking it says; its files are in document_files.cpp.
namespace app::console {

namespace {

constexpr int kCheckAfterMs = 250;
constexpr int kKeepAfterMs = 700; // a second at most is lost, with the time that writing takes
constexpr int kLookAfterMs = 100; // many programs save in several steps

std::size_t countOf(const LoadedPolicy& loaded, engine::Severity severity)
{
    return static_cast<std::size_t>(
        std::count_if(loaded.diagnostics.begin(), loaded.diagnostics.end(),
                      [&](const engine::Diagnostic& one) { return one.severity == severity; }));
}

CheckedText checkedText(std::string text, const std::string& file,
                        const std::optional<std::string>& lookupDir)
{
    QElapsedTimer timer;
    timer.start();
    CheckedText checked;
    engine::Result<LoadedPolicy> loaded = loadPolicyText(file, text, {lookupDir, {}, nullptr});
    if (loaded) {
        checked.loaded = std::move(*loaded);
    } else {
        checked.loaded.diagnostics.push_back(loaded.error());
    }
    LoadedPolicy& policy = checked.loaded;
    if (policy.policy) {
        for (engine::Diagnostic& one :
             policies::advise(*policy.policy, policy.plan ? &*policy.plan : nullptr, nullptr)) {
            policy.diagnostics.push_back(std::move(one));
        }
    }
    std::stable_sort(policy.diagnostics.begin(), policy.diagnostics.end(),
                     [](const engine::Diagnostic& a, const engine::Diagnostic& b) {
                         return std::pair(a.severity, a.place.line)
                             < std::pair(b.severity, b.place.line);
                     });
    checked.text = std::move(text);
    checked.milliseconds = timer.elapsed();
    return checked;
}

} // namespace

std::size_t CheckedText::errors() const
{
    return countOf(loaded, engine::Severity::Error);
}

std::size_t CheckedText::advice() const
{
    return countOf(loaded, engine::Severity::Advice);
}

Document::Document(QObject* parent)
    : QObject(parent)
    , m_text(new QTextDocument(this))
    , m_checkTimer(new QTimer(this))
    , m_autosaveTimer(new QTimer(this))
    , m_lookTimer(new QTimer(this))
    , m_watcher(new QFileSystemWatcher(this))
    , m_recovery(std::make_unique<RecoveryFile>(
          QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)
          + QStringLiteral("/weir/recovery")))
{
    m_text->setDocumentLayout(new QPlainTextDocumentLayout(m_text));
    m_checkTimer->setSingleShot(true);
    m_checkTimer->setInterval(kCheckAfterMs);
    m_autosaveTimer->setSingleShot(true);
    m_autosaveTimer->setInterval(kKeepAfterMs);
    connect(m_text, &QTextDocument::contentsChange, this, [this](int, int removed, int added) {
        if (removed != 0 || added != 0) {
            textChanged();
        }
    });
    connect(m_text, &QTextDocument::modificationChanged, this, &Document::stateChanged);
    connect(m_checkTimer, &QTimer::timeout, this, &Document::check);
    m_lookTimer->setSingleShot(true);
    m_lookTimer->setInterval(kLookAfterMs);
    connect(m_autosaveTimer, &QTimer::timeout, this, [this] {
        if (isModified()) {
            keep();
        }
    });
    const auto look = [this] { m_lookTimer->start(); };
    connect(m_watcher, &QFileSystemWatcher::fileChanged, this, look);
    connect(m_watcher, &QFileSystemWatcher::directoryChanged, this, look);
    connect(m_lookTimer, &QTimer::timeout, this, &Document::lookOutside);
}

Document::~Document() = default;

void Document::setRecoveryFolder(const QString& folder)
{
    m_recovery = std::make_unique<RecoveryFile>(folder);
}

bool Document::isModified() const
{
    return m_isOpen && m_text->isModified();
}

QString Document::fileName() const
{
    return m_path.isEmpty() ? m_name : shown(QFileInfo(m_path).fileName().toStdString(), 200);
}

std::string Document::currentText() const
{
    return wholeText(*m_text).toStdString();
}

std::string Document::bytes() const
{
    return bytesOf(wholeText(*m_text), m_form);
}

PolicySource Document::source() const
{
    return {m_path.toStdString(), bytes(), lookupFolder()};
}

engine::Status Document::open(const QString& path)
{
    engine::Result<std::string> bytes = readPolicyText(path.toStdString());
    if (!bytes) {
        return engine::fail(bytes.error());
    }
    engine::Result<PolicyText> text = policyTextOf(*bytes);
    if (!text) {
        return engine::fail(text.error());
    }
    m_saved = std::move(*bytes);
    m_seen = m_saved;
    m_recovery->remove();
    setLookups({});
    const QFileInfo file(path);
    take(text->text, text->form, file.absoluteFilePath(), file.fileName());
    return engine::Done {};
}

void Document::openText(const std::string& text, const QString& name,
                        const std::map<std::string, std::string>& lookups)
{
    m_saved.clear();
    m_recovery->remove();
    setLookups(lookups);
    const engine::Result<PolicyText> made = policyTextOf(text);
    take(made ? made->text : words(text), made ? made->form : FileForm {}, {}, name);
}

void Document::openDraft(const std::string& text, const QString& name)
{
    openText(text, name);
    m_text->setModified(true);
    m_autosaveTimer->start();
}

void Document::take(const QString& text, FileForm form, const QString& path, const QString& name)
{
    m_form = form;
    m_path = path;
    m_name = name;
    m_isOpen = true;
    m_checked.reset();
    m_lastGood.reset();
    m_text->setPlainText(text);
    m_text->setModified(false);
    m_text->clearUndoRedoStacks();
    m_autosaveTimer->stop();
    watch();
    check();
    Q_EMIT opened();
    Q_EMIT stateChanged();
}

void Document::close()
{
    m_isOpen = false;
    m_recovery->remove();
    m_checker.stop();
    m_checkTimer->stop();
    m_autosaveTimer->stop();
    m_path.clear();
    m_name.clear();
    m_saved.clear();
    setLookups({});
    m_checked.reset();
    m_lastGood.reset();
    m_text->clear();
    m_text->setModified(false);
    watch();
    Q_EMIT closed();
    Q_EMIT stateChanged();
}

bool Document::apply(const engine::Result<policies::Edits>& edits)
{
    if (!edits) {
        Q_EMIT failed(edits.error());
        return false;
    }
    applyEdits(*m_text, *edits);
    return true;
}

void Document::textChanged()
{
    m_isCurrent = false;
    if (!m_isOpen) {
        return;
    }
    m_checkTimer->start();
    if (!m_autosaveTimer->isActive()) {
        m_autosaveTimer->start(); // not put off by further typing
    }
    Q_EMIT changed();
}

void Document::check()
{
    m_checkTimer->stop();
    m_checker.start([text = currentText(), file = m_path.toStdString(), folder = lookupFolder()](
                        const StopFlag&) { return checkedText(text, file, folder); },
                    [this](CheckedText checked) { takeChecked(std::move(checked)); });
}

const CheckedText& Document::checkNow()
{
    m_checkTimer->stop();
    m_checker.stop();
    if (!m_checked || !m_isCurrent) {
        takeChecked(checkedText(currentText(), m_path.toStdString(), lookupFolder()));
    }
    return *m_checked;
}

void Document::takeChecked(CheckedText checked)
{
    m_isCurrent = checked.text == currentText();
    m_checked = std::make_shared<const CheckedText>(std::move(checked));
    if (m_checked->loaded.policy) {
        m_lastGood = m_checked;
    }
    Q_EMIT checkedChanged();
}

} // namespace app::console
