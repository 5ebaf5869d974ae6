#include "app/console/frame/values.h"
#include "app/console/session/document.h"
#include "app/console/session/recovery.h"
#include "app/workbench/files.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QTemporaryDir>
#include <QTextDocument>
#include <QTimer>

/// The files of the open policy: its own, what it looks values up in, and the one for recovery.
namespace app::console {

namespace {

QString hashOf(const std::string& bytes)
{
    const QByteArray hash
        = QCryptographicHash::hash(QByteArray::fromStdString(bytes), QCryptographicHash::Sha256);
    return QString::fromLatin1(hash.toHex());
}

} // namespace

std::optional<std::string> Document::lookupFolder() const
{
    return m_lookupFolder ? std::optional(m_lookupFolder->path().toStdString()) : std::nullopt;
}

void Document::setLookups(const std::map<std::string, std::string>& lookups)
{
    m_lookups = lookups;
    m_lookupFolder.reset();
    if (lookups.empty()) {
        return;
    }
    m_lookupFolder = std::make_unique<QTemporaryDir>();
    for (const auto& [name, bytes] : lookups) {
        const QString path = m_lookupFolder->filePath(QString::fromStdString(name));
        if (const engine::Status written = writeFile(path.toStdString(), bytes); !written) {
            Q_EMIT failed(written.error());
        }
    }
}

/// What a template looks values up in goes beside it, but never over a file that is there.
engine::Status Document::writeLookups(const QString& path)
{
    const QFileInfo policy(path);
    for (const auto& [name, bytes] : m_lookups) {
        const QString file
            = policy.absolutePath() + QLatin1Char('/') + QString::fromStdString(name);
        if (QFileInfo::exists(file)) {
            continue;
        }
        if (engine::Status written = writeFile(file.toStdString(), bytes); !written) {
            return written;
        }
    }
    return engine::Done {};
}

/// Somebody else's bytes are not written over without a word.
engine::Status Document::checkOutside()
{
    const engine::Result<std::string> bytes = readPolicyText(m_path.toStdString());
    if (!bytes || *bytes == m_saved) {
        return engine::Done {}; // what is gone, or cannot be read, has nothing to lose by it
    }
    m_seen = *bytes;
    Q_EMIT changedOutside();
    return engine::fail("console.changed-outside",
                        fileName().toStdString()
                            + " was changed by another program and is not saved over it",
                        "Reload it, or Keep mine and save again");
}

engine::Status Document::write(const QString& path)
{
    const QString whole = QFileInfo(path).absoluteFilePath();
    if (whole == m_path) {
        if (engine::Status same = checkOutside(); !same) {
            return same;
        }
    }
    if (engine::Status looked = writeLookups(path); !looked) {
        return looked;
    }
    std::string all = bytes();
    if (engine::Status written = writeFile(path.toStdString(), all); !written) {
        return written;
    }
    setLookups({}); // they are beside it
    m_saved = std::move(all);
    m_seen = m_saved;
    m_path = whole;
    m_text->setModified(false);
    discardRecovery();
    watch();
    Q_EMIT saved();
    Q_EMIT stateChanged();
    return engine::Done {};
}

engine::Status Document::save()
{
    return write(m_path);
}

engine::Status Document::saveAs(const QString& path)
{
    engine::Status written = write(path);
    if (written) {
        check(); // lookups are looked for beside it
    }
    return written;
}

engine::Status Document::reload()
{
    return open(m_path);
}

void Document::keepMine()
{
    if (const engine::Result<std::string> bytes = readPolicyText(m_path.toStdString())) {
        m_saved = *bytes;
        m_seen = m_saved;
    }
    m_text->setModified(true);
    m_autosaveTimer->start();
    watch();
}

void Document::keep()
{
    const QDateTime now = QDateTime::currentDateTime();
    const QString problem = m_recovery->write({m_path, m_name, wholeText(*m_text), m_form.hasMark,
                                               m_form.isCrlf, now, hashOf(m_saved), m_lookups});
    if (problem.isEmpty()) {
        Q_EMIT autosaved(now.toString(QStringLiteral("HH:mm:ss")));
        return;
    }
    engine::Diagnostic said;
    said.code = "console.recovery";
    said.message = "the text could not be kept for recovery: " + problem.toStdString();
    said.help = "save it: Ctrl+S";
    Q_EMIT failed(said);
}

/// The folder as well: a file that was taken away and made anew is not the one that was watched.
void Document::watch()
{
    const QStringList old = m_watcher->files() + m_watcher->directories();
    if (!old.isEmpty()) {
        m_watcher->removePaths(old);
    }
    m_lookTimer->stop();
    if (!m_path.isEmpty()) {
        m_watcher->addPath(QFileInfo(m_path).absolutePath());
        if (QFileInfo::exists(m_path)) {
            m_watcher->addPath(m_path);
        }
    }
}

/// Tells of each state of the file once.
void Document::lookOutside()
{
    watch(); // an editor that replaces the file takes the watch along
    const engine::Result<std::string> bytes = readPolicyText(m_path.toStdString());
    const std::optional<std::string> now = bytes ? std::optional(*bytes) : std::nullopt;
    if (now == m_seen) {
        return;
    }
    m_seen = now;
    if (now != m_saved) {
        Q_EMIT changedOutside();
    }
}

/// The file may be another one by now: only the bytes that were saved then count as saved.
std::optional<QString> Document::recover()
{
    const std::optional<Recovered> text = m_recovery->takeOver();
    if (!text) {
        return std::nullopt;
    }
    m_saved.clear();
    m_seen.reset();
    bool isChanged = false;
    if (!text->path.isEmpty()) {
        if (auto bytes = readPolicyText(text->path.toStdString())) {
            isChanged = hashOf(*bytes) != text->saved;
            m_seen = *bytes;
            m_saved = isChanged ? std::string() : std::move(*bytes);
        }
    }
    setLookups(text->lookups);
    take(text->text, {text->hasMark, text->isCrlf}, text->path, text->name);
    m_text->setModified(true);
    keep();
    if (isChanged) {
        Q_EMIT changedOutside();
    }
    return text->changed.toString(QStringLiteral("HH:mm"));
}

void Document::discardRecovery()
{
    m_autosaveTimer->stop();
    m_recovery->remove();
}

} // namespace app::console
