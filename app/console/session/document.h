#pragma once

#include "app/console/session/policy_text.h"
#include "app/console/session/worker.h"
#include "app/workbench/policy_files.h"
#include "engine/result.h"

#include <QObject>
#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <string>

class QFileSystemWatcher;
class QTemporaryDir;
class QTextDocument;
class QTimer;

namespace app::console {

class RecoveryFile;

/// What is known of one state of the policy's text.
struct CheckedText {
    std::string text; ///< with LF; spans of the policy point into it
    LoadedPolicy loaded; ///< errors first, then advice, each by place, in loaded.diagnostics
    qint64 milliseconds = 0; ///< that it took

    [[nodiscard]] std::size_t errors() const;
    [[nodiscard]] std::size_t advice() const;
};

/// The policy that is open: a text with undo and redo that all faces edit, the file that it came
/// from, and what checking it says.
///
/// The text is the document; faces change single values by apply(). 250 ms after the last change
/// it is checked in the background, and kept in a recovery file within a second. GUI thread.
class Document : public QObject {
    Q_OBJECT

public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    [[nodiscard]] QTextDocument& text() const { return *m_text; }

    [[nodiscard]] bool isOpen() const { return m_isOpen; }

    [[nodiscard]] bool isModified() const;

    [[nodiscard]] QString path() const { return m_path; } ///< empty: never saved

    [[nodiscard]] QString fileName() const; ///< "public-api.yaml", shown in titles
    [[nodiscard]] std::string bytes() const; ///< as it would be saved
    [[nodiscard]] std::string currentText() const; ///< with LF

    /// The text as it stands and its lookups, to be read on another thread.
    [[nodiscard]] PolicySource source() const;

    /// Files that the text looks values up in and that are not on disk yet: name, bytes.
    [[nodiscard]] const std::map<std::string, std::string>& lookups() const { return m_lookups; }

    /// The last text that was checked; nothing before the first.
    [[nodiscard]] const std::shared_ptr<const CheckedText>& checked() const { return m_checked; }

    /// The last one that had no errors in its form, for faces that keep the last good state.
    [[nodiscard]] const std::shared_ptr<const CheckedText>& lastGood() const { return m_lastGood; }

    /// Is checked() of the text as it stands?
    [[nodiscard]] bool isCurrent() const { return m_isCurrent; }

    /// Checks at once, here. For what must have an answer now (tests, a replay that starts).
    const CheckedText& checkNow();

    /// Errors: policy.unreadable, console.not-text.
    engine::Status open(const QString& path);
    /// A text without a file: from a template or a draft. `name` is proposed for saving; `lookups`
    /// (name, bytes) are the files that it looks values up in: saving puts them beside it where
    /// there are none of that name.
    void openText(const std::string& text, const QString& name,
                  const std::map<std::string, std::string>& lookups = {});
    /// The same with a text that would be work to make again: it counts as changed, and is kept.
    void openDraft(const std::string& text, const QString& name);
    /// Errors: file.write, console.changed-outside (the file has other bytes than it had when it
    /// was read or written here; also told by changedOutside()).
    engine::Status save();
    engine::Status saveAs(const QString& path);
    /// Throws the changes away and reads the file again.
    engine::Status reload();
    void close();

    /// Changes the text as one step of undo. What cannot be done is said by failed().
    bool apply(const engine::Result<policies::Edits>& edits);

    /// The bytes that the file had when it was last read or written; none where a text was
    /// recovered and the file is another one since.
    [[nodiscard]] std::string savedBytes() const { return m_saved; }

    /// The file's own bytes are no longer those: the user keeps this text all the same, and may
    /// save it over them.
    void keepMine();

    /// Where texts that are not saved are kept; tests set their own. Set before anything is open.
    void setRecoveryFolder(const QString& folder);
    /// Opens the newest text that a session which is gone left behind: "14:31" of its last change.
    std::optional<QString> recover();
    /// The user does not want what was recovered or changed: nothing of it is kept from now on.
    void discardRecovery();

Q_SIGNALS:
    void opened();
    void closed();
    void saved();
    void changed(); ///< the text
    void checkedChanged();
    void stateChanged(); ///< modified, path
    void autosaved(const QString& time); ///< "14:31:07"
    void changedOutside();
    void failed(const engine::Diagnostic& diagnostic);

private:
    void take(const QString& text, FileForm form, const QString& path, const QString& name);
    void textChanged();
    void check();
    void takeChecked(CheckedText checked);
    void keep();
    void watch();
    void lookOutside();
    engine::Status write(const QString& path);
    engine::Status checkOutside();
    engine::Status writeLookups(const QString& path);
    [[nodiscard]] std::optional<std::string> lookupFolder() const;
    void setLookups(const std::map<std::string, std::string>& lookups);

    QTextDocument* m_text;
    bool m_isOpen = false;
    bool m_isCurrent = false;
    QString m_path;
    QString m_name;
    FileForm m_form;
    std::string m_saved;
    std::optional<std::string> m_seen; ///< the file's bytes, as last told; nothing: it was gone
    std::map<std::string, std::string> m_lookups; ///< that are not on disk yet
    std::unique_ptr<QTemporaryDir> m_lookupFolder; ///< where checking finds them
    std::shared_ptr<const CheckedText> m_checked;
    std::shared_ptr<const CheckedText> m_lastGood;
    QTimer* m_checkTimer;
    QTimer* m_autosaveTimer;
    QTimer* m_lookTimer;
    QFileSystemWatcher* m_watcher;
    Worker m_checker;
    std::unique_ptr<RecoveryFile> m_recovery;
};

} // namespace app::console
