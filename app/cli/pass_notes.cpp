#include "app/cli/pass_notes.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/notes.h"
#include "app/workbench/recording.h"

#include <fmt/format.h>

namespace app::cli {
namespace {

/// That the log is a sample is one of the notes.
void say(Messages& messages, const std::vector<storage::Note>& notes,
         const std::vector<storage::BadLines>& badLines)
{
    for (const storage::Note& note : notes) {
        messages.note(note.text);
    }
    for (const storage::BadLines& bad : badLines) {
        messages.note(fmt::format("not read: {} {}, {}", grouped(bad.count),
                                  bad.count == 1 ? "line" : "lines", bad.reason));
    }
}

} // namespace

PassNotes passNotesOf(const Pass& pass, const ReplayRequest& request,
                      const std::vector<const engine::Plan*>& plans, const PassFigures& figures)
{
    PassNotes notes {readingNotesOf(pass, request), badLinesOf(pass.logs), {}, {}};
    if (figures.withWho < figures.requests) {
        notes.notes.push_back(whoNote(pass.intake->who(), figures.withWho, figures.requests));
    }
    if (figures.recordedRejected > 0) {
        notes.notes.push_back({"replay.recorded", recordedText(figures.recordedRejected)});
    }
    notes.secrets.add(request.pass.logs);
    for (const engine::Plan* const plan : plans) {
        notes.secrets.add(*plan);
    }
    for (const storage::Option& option : request.reading) {
        if (option.name == "sampled") {
            notes.sampled = option.value;
        }
    }
    return notes;
}

void sayNotes(Messages& messages, const PassNotes& notes)
{
    say(messages, notes.notes, notes.badLines);
}

void sayNotes(Messages& messages, const ReportSheet& sheet)
{
    say(messages, sheet.notes, sheet.badLines);
    for (const std::string& limit : sheet.limits) {
        messages.note(limit);
    }
}

} // namespace app::cli
