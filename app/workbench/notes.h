#pragma once
#include "app/workbench/replay.h"

#include <string>
#include <string_view>
#include <vector>

namespace app {

/// What stands beside every figure of a log that is a sample: of "1/10".
std::string sampledText(std::string_view sampled);

/// What a reader of any figures of a pass must know of how it was read: the part of notesOf() that
/// no plan has to do with. Of the request `pass` and `reading` are looked at.
std::vector<storage::Note> readingNotesOf(const Pass& pass, const ReplayRequest& request);

/// "who is api_key: 12 of 240 requests have it".
storage::Note whoNote(std::string_view who, std::uint64_t having, std::uint64_t requests);

/// What stands beside figures of requests of which production had rejected so many.
std::string recordedText(std::uint64_t rejected);

/// Everything that a reader of one plan's figures must know: what was guessed (format, who), what
/// was placed (spread), what came late, what could not be read, what the policy asks for and no
/// line had. Codes start with "replay." or "log.".
std::vector<storage::Note> notesOf(const Pass& pass, const engine::Tally& tally,
                                   const ReplayRequest& request, std::size_t plan);

/// A log that has lines and no request among them cannot be read: log.nothing-read.
bool nothingRead(const Pass& pass);
engine::Diagnostic unreadable(const Pass& pass);

} // namespace app
