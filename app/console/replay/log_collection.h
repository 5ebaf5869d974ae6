#pragma once

#include "app/console/session/worker.h"
#include "app/workbench/given_options.h"
#include "app/workbench/log_preview.h"
#include "engine/diagnostic.h"

#include <QObject>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace app::console {

/// What only the whole log can say.
struct LogFigures {
    std::uint64_t lines = 0;
    std::uint64_t requests = 0;
    std::uint64_t notRead = 0;
    std::uint64_t coarse = 0; ///< requests whose stamp has whole seconds only
    std::optional<std::int64_t> firstNs; ///< arrivals
    std::optional<std::int64_t> lastNs;
    std::vector<LogPreview::Reason> reasons; ///< most lines first
    std::vector<LogPreview::Attribute> attributes; ///< most filled first, without examples
};

/// A log that may be replayed: a file, or a folder or description that names several.
struct LogRow {
    std::string path;
    bool isChosen = true;
    std::size_t files = 1;
    std::uint64_t bytes = 0; ///< as stored, all files
    std::optional<LogPreview> preview; ///< of the first file
    std::optional<LogFigures> figures; ///< when all of it was read
    std::optional<int> counting; ///< per cent, while it is read
    std::optional<engine::Diagnostic> failure; ///< it cannot be read
    std::vector<std::string> firstLines; ///< of one that cannot, as they may be shown; raw bytes

    [[nodiscard]] std::string name() const; ///< the last part of the path
};

/// Writes every line of a log that cannot be read to the file `to`, as JSON Lines.
/// Errors: those of expandLogs(), inspect() and RejectsFile. Any thread.
engine::Status saveNotReadLines(const std::string& path, const GivenOptions& reading,
                                const std::string& to, const StopFlag& stop);

/// The logs that may be replayed, with what is found out about them in the background: first a
/// preview of each, then its figures, one log after the other. GUI thread.
class LogCollection : public QObject {
    Q_OBJECT

public:
    explicit LogCollection(QObject* parent = nullptr);
    ~LogCollection() override;

    /// One that is there already is not added again. Returns the row of the first.
    int add(const QStringList& paths);
    void remove(int row);
    void choose(int row, bool isChosen);
    /// How logs are read (format, fields, zone); a change reads them all anew.
    void setReading(const GivenOptions& reading);

    [[nodiscard]] const std::vector<LogRow>& rows() const { return m_rows; }

    [[nodiscard]] std::vector<std::string> chosenPaths() const;
    /// Requests of all chosen logs; nothing until each is counted.
    [[nodiscard]] std::optional<std::uint64_t> chosenRequests() const;

    /// Is anything still being found out?
    [[nodiscard]] bool isBusy() const { return m_previewer.isBusy() || m_counter.isBusy(); }

Q_SIGNALS:
    void rowsChanged(); ///< rows came or went
    void rowChanged(int row); ///< what is known of it
    void progressed(int row); ///< how much of it was read

private:
    void previewNext();
    void countNext();
    void counted(const std::string& path, int percent);
    [[nodiscard]] int rowOf(const std::string& path) const;

    std::vector<LogRow> m_rows;
    GivenOptions m_reading;
    Worker m_previewer;
    Worker m_counter;
};

} // namespace app::console
