#include "app/console/replay/log_collection.h"

#include "app/console/session/worker_progress.h"
#include "app/workbench/inspect.h"
#include "app/workbench/log_list.h"
#include "app/workbench/log_options.h"
#include "app/workbench/rejects_file.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

namespace app::console {

namespace {

/// The LOGs that a path stands for.
engine::Result<std::vector<LogChoice>> choicesOf(const std::string& path,
                                                 const GivenOptions& reading, const StopFlag& stop)
{
    engine::Result<LogChoice> defaults = logChoiceOf(reading, "", storage::Spread::Even);
    if (!defaults) {
        return engine::fail(defaults.error());
    }
    LogList list = expandLogs({{path}, {}, std::move(*defaults), &stop});
    if (!list.errors.empty()) {
        return engine::fail(list.errors.front());
    }
    return std::move(list.logs);
}

constexpr std::size_t kLinesShown = 3; // of a log that nothing can read

/// What a preview says of a row.
struct Seen {
    std::optional<LogPreview> preview;
    std::optional<engine::Diagnostic> failure;
    std::vector<std::string> firstLines;
    std::size_t files = 1;
    std::uint64_t bytes = 0;
};

Seen look(const std::string& path, const GivenOptions& reading, const StopFlag& stop)
{
    Seen seen;
    const auto choices = choicesOf(path, reading, stop);
    if (!choices) {
        seen.failure = choices.error();
        return seen;
    }
    seen.files = choices->size();
    for (const LogChoice& choice : *choices) {
        std::error_code ignored;
        const auto size = std::filesystem::file_size(choice.path, ignored);
        seen.bytes += ignored ? 0 : size;
    }
    engine::Result<LogPreview> preview = previewLog(choices->front(), &stop);
    if (preview) {
        seen.preview = std::move(*preview);
    } else {
        seen.failure = preview.error();
        seen.firstLines = firstLinesOf(choices->front().path, kLinesShown);
    }
    return seen;
}

LogFigures figuresOf(const Inspection& inspection)
{
    LogFigures figures;
    const storage::LogReport& report = inspection.report;
    figures.lines = report.lines;
    figures.requests = report.requests;
    figures.notRead = report.rejected;
    figures.coarse = report.coarse;
    figures.firstNs = report.firstNs;
    figures.lastNs = report.lastNs;
    for (const auto& [code, reason] : report.reasons) {
        LogPreview::Reason one {code, reason.count, 0, {}};
        if (!reason.examples.empty()) {
            one.firstLine = reason.examples.front().line;
            one.example
                = inspection.secrets.shownLine(reason.examples.front().text, inspection.fields);
        }
        figures.reasons.push_back(std::move(one));
    }
    std::stable_sort(figures.reasons.begin(), figures.reasons.end(),
                     [](const auto& a, const auto& b) { return a.count > b.count; });
    for (std::size_t i = 0; i < inspection.fields.size(); ++i) {
        if (report.filled[i] > 0) {
            figures.attributes.push_back({inspection.fields[i], report.filled[i], {}});
        }
    }
    std::stable_sort(figures.attributes.begin(), figures.attributes.end(),
                     [](const auto& a, const auto& b) { return a.filled > b.filled; });
    return figures;
}

} // namespace

engine::Status saveNotReadLines(const std::string& path, const GivenOptions& reading,
                                const std::string& to, const StopFlag& stop)
{
    auto choices = choicesOf(path, reading, stop);
    if (!choices) {
        return engine::fail(choices.error());
    }
    std::vector<std::string> names;
    for (const LogChoice& choice : *choices) {
        names.push_back(choice.path);
    }
    const auto file = RejectsFile::create(to, names);
    if (!file) {
        return engine::fail(file.error());
    }
    InspectRequest request;
    request.logs = std::move(*choices);
    request.firstRequests = 0;
    request.stop = &stop;
    request.rejected = [&file](std::size_t log, const std::vector<storage::LineReject>& lines) {
        (*file)->add(log, lines);
    };
    const engine::Result<Inspection> inspection = inspect(request);
    if (!inspection) {
        return engine::fail(inspection.error());
    }
    return (*file)->finish();
}

std::string LogRow::name() const
{
    const std::filesystem::path whole(path);
    const std::filesystem::path last
        = whole.has_filename() ? whole.filename() : whole.parent_path().filename();
    return last.empty() ? path : last.string();
}

LogCollection::LogCollection(QObject* parent)
    : QObject(parent)
{
}

LogCollection::~LogCollection() = default;

int LogCollection::rowOf(const std::string& path) const
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(),
                                    [&](const LogRow& row) { return row.path == path; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int LogCollection::add(const QStringList& paths)
{
    int first = -1;
    bool isNew = false;
    for (const QString& path : paths) {
        LogRow row;
        row.path = path.toStdString();
        int at = rowOf(row.path);
        if (at < 0) {
            std::error_code ignored;
            const auto size = std::filesystem::file_size(row.path, ignored);
            row.bytes = ignored ? 0 : size;
            m_rows.push_back(std::move(row));
            at = static_cast<int>(m_rows.size()) - 1;
            isNew = true;
        }
        first = first < 0 ? at : first;
    }
    if (isNew) {
        Q_EMIT rowsChanged();
        previewNext();
    }
    return first;
}

void LogCollection::remove(int row)
{
    if (m_rows[static_cast<std::size_t>(row)].counting) {
        m_counter.stop();
    }
    m_rows.erase(m_rows.begin() + row);
    Q_EMIT rowsChanged();
    previewNext();
}

void LogCollection::choose(int row, bool isChosen)
{
    m_rows[static_cast<std::size_t>(row)].isChosen = isChosen;
    Q_EMIT rowChanged(row);
}

void LogCollection::setReading(const GivenOptions& reading)
{
    m_reading = reading;
    m_previewer.stop();
    m_counter.stop();
    for (LogRow& row : m_rows) {
        row.preview.reset();
        row.figures.reset();
        row.counting.reset();
        row.failure.reset();
    }
    previewNext();
}

void LogCollection::previewNext()
{
    if (m_previewer.isBusy()) {
        return;
    }
    const auto next = std::find_if(m_rows.begin(), m_rows.end(),
                                   [](const LogRow& row) { return !row.preview && !row.failure; });
    if (next == m_rows.end()) {
        countNext();
        return;
    }
    m_previewer.start([path = next->path, reading = m_reading](
                          const StopFlag& stop) { return look(path, reading, stop); },
                      [this, path = next->path](Seen seen) {
                          if (const int row = rowOf(path); row >= 0) {
                              LogRow& one = m_rows[static_cast<std::size_t>(row)];
                              one.preview = std::move(seen.preview);
                              one.failure = std::move(seen.failure);
                              one.firstLines = std::move(seen.firstLines);
                              one.files = seen.files;
                              one.bytes = seen.bytes;
                              Q_EMIT rowChanged(row);
                          }
                          previewNext();
                      });
}

/// Per cent of a log that is counted, for its row, if it is there still.
void LogCollection::counted(const std::string& path, int percent)
{
    const int row = rowOf(path);
    if (row >= 0 && m_rows[static_cast<std::size_t>(row)].counting) {
        m_rows[static_cast<std::size_t>(row)].counting = percent;
        Q_EMIT progressed(row);
    }
}

void LogCollection::countNext()
{
    if (m_counter.isBusy()) {
        return;
    }
    const auto next = std::find_if(m_rows.begin(), m_rows.end(), [](const LogRow& row) {
        return row.preview && !row.figures && !row.failure;
    });
    if (next == m_rows.end()) {
        return;
    }
    next->counting = 0;
    using Counted = engine::Result<LogFigures>;
    auto progress = std::make_shared<WorkerProgress>(
        m_counter, [this, path = next->path](const ProgressState& state) {
            if (const std::optional<int> percent = percentOf(state)) {
                counted(path, *percent);
            }
        });
    m_counter.start(
        [path = next->path, reading = m_reading, progress](const StopFlag& stop) -> Counted {
            auto choices = choicesOf(path, reading, stop);
            if (!choices) {
                return engine::fail(choices.error());
            }
            InspectRequest request;
            request.logs = std::move(*choices);
            request.firstRequests = 0;
            request.stop = &stop;
            request.progress = progress.get();
            const engine::Result<Inspection> inspection = inspect(request);
            if (!inspection) {
                return engine::fail(inspection.error());
            }
            return figuresOf(*inspection);
        },
        [this, path = next->path](Counted counted) {
            if (const int row = rowOf(path); row >= 0) {
                LogRow& one = m_rows[static_cast<std::size_t>(row)];
                one.counting.reset();
                if (counted) {
                    one.figures = std::move(*counted);
                } else {
                    one.failure = counted.error();
                }
                Q_EMIT rowChanged(row);
            }
            countNext();
        });
    Q_EMIT rowChanged(static_cast<int>(next - m_rows.begin()));
}

std::vector<std::string> LogCollection::chosenPaths() const
{
    std::vector<std::string> paths;
    for (const LogRow& row : m_rows) {
        if (row.isChosen) {
            paths.push_back(row.path);
        }
    }
    return paths;
}

std::optional<std::uint64_t> LogCollection::chosenRequests() const
{
    std::uint64_t requests = 0;
    for (const LogRow& row : m_rows) {
        if (row.isChosen && !row.figures) {
            return std::nullopt;
        }
        requests += row.isChosen ? row.figures->requests : 0;
    }
    return requests;
}

} // namespace app::console
