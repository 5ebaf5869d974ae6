#include "app/cli/pass_notes.h"

#include "app/workbench/figures_text.h"
#include "app/workbench/notes.h"
#include "app/workbench/recording.h"

#include <fmt/format.h>

namespace app::cli {

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
    for (const storage::Note& note : notes.notes) {
        messages.note(note.text);
    }
    for (const storage::BadLines& bad : notes.badLines) {
        messages.note(fmt::format("not read: {} {}, {}", grouped(bad.count),
                                  bad.count == 1 ? "line" : "lines", bad.reason));
    }
}

} // namespace app::cli
