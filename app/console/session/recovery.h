#pragma once

#include <QDateTime>
#include <QLockFile>
#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace app::console {

/// A text that was not saved when its program ended.
struct Recovered {
    QString path; ///< of its file; empty: it never had one
    QString name;
    QString text;
    bool hasMark = false;
    bool isCrlf = false;
    QDateTime changed;
    QString saved; ///< hash of the bytes that its file had when it was read or written, in hex
    std::map<std::string, std::string> lookups; ///< that were not on disk yet: name, bytes
};

/// One file in a folder that holds the text of one document until it is saved. A lock beside it
/// says that its program lives: what has none is taken by the next program that asks.
class RecoveryFile {
public:
    explicit RecoveryFile(QString folder);
    ~RecoveryFile();

    /// Writes in one step: the old state or the new one is there whenever the program is killed.
    /// What went wrong, or "".
    QString write(const Recovered& text);
    void remove();
    /// The newest text without a living program. It becomes this file's own.
    std::optional<Recovered> takeOver();

private:
    [[nodiscard]] QString pathOf(const QString& id) const;
    bool own(const QString& id);

    QString m_folder;
    QString m_id;
    std::unique_ptr<QLockFile> m_lock;
};

} // namespace app::console
