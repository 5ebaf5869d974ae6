#pragma once
#include <string_view>

namespace storage::logs {

/// A request line or target in its parts; a part that is not there has data() == nullptr.
struct RequestParts {
    std::string_view method;
    std::string_view path;
    std::string_view query; ///< without `?`
    std::string_view host; ///< from an absolute URI
    std::string_view scheme;
};

/// "GET /a?b HTTP/1.1" is {GET, /a, b}; "GET http://h/a HTTP/1.1" is {GET, /a, -, h, http}. A
/// target may hold blanks. What is no request line (bytes of a TLS handshake, empty, "-") has no
/// parts. Has kPadding readable bytes behind it, as has a target.
RequestParts splitRequestLine(std::string_view line);

/// Takes path and query from a field that is called so, if it has text. Some write the whole
/// request line there ("GET /a?b HTTP/1.1"): then the method, too.
void readTarget(std::string_view target, RequestParts& parts);

/// "/a?b" or "http://h/a?b" into path, query, host and scheme.
void splitTarget(std::string_view target, RequestParts& parts);

} // namespace storage::logs
