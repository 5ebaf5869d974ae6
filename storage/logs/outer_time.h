#pragma once
#include "storage/logs/line_parser.h"

namespace storage::logs {

/// The time that the wrapper of the line at hand gives (LineScratch::outer), for a line that has
/// none of its own: of the request's end, since the line was written then. False: no wrapper, no
/// time, or a year that cannot be told.
///
/// "Feb  6 12:14:14" has neither year nor zone: it is local time (Stamp::isLocal) of the last such
/// day that is not after OuterLine::notAfterNs by more than a day.
bool readOuterTime(LineScratch& scratch, Stamp& stamp);

} // namespace storage::logs
