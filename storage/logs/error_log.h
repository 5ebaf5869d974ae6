#pragma once
#include <string_view>

namespace storage::logs {

/// A line of nginx's or Apache's error log: what went wrong, no record of a request.
/// "2021/12/02 11:53:15 [error] 4065777#4065777: *42 limiting requests, excess: 5.428 ..." and
/// "[Fri Oct 08 17:08:41.203277 2021] [core:error] [pid 7005] ..." are.
bool isErrorLogLine(std::string_view line);

} // namespace storage::logs
