#pragma once
#include "engine/result.h"
#include "storage/logs/row_pattern.h"

#include <string_view>

namespace storage::logs {

/// Apache's LogFormat (and what Tomcat, Jetty, lighttpd and varnishncsa made of it) as a pattern.
///
/// Fields have the names that nginx gives to the same things, so that one policy goes with both:
/// %a is remote_addr, %h remote_host, %{X-Api-Key}i http_x_api_key, %{Via}o sent_http_via, %r
/// request, %>s status, %U%q request_uri, %D request_time_us. The parts of one time (%t,
/// %{FORMAT}t, %{usec_frac}t) are time_local, with `end:` time_end.
///
/// From `%h %l ...`, also in quotes, or a configuration with LogFormat directives: the one that its
/// CustomLog names, else the only one.
///
/// Errors: log.format.
engine::Result<RowPattern> parseApachePattern(std::string_view text);

} // namespace storage::logs
