#include "engine/attributes/normal_form.h"

#include "engine/attributes/address_text.h"
#include "engine/attributes/text.h"

#include <algorithm>

namespace engine::attributes {
namespace {

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isBlank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && isBlank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

std::string_view normalAddress(std::string_view value, char* out)
{
    std::uint32_t ipv4 = 0;
    if (readIpv4(value, ipv4)) {
        return value;
    }
    const std::optional<Address> address = parseAddress(value);
    if (address) {
        return {out, formatAddress(*address, out)};
    }
    const std::string_view token = trimmed(value);
    const bool oneToken = std::none_of(token.begin(), token.end(), isBlank);
    return token.empty() || !oneToken ? kMissing : token;
}

template <char (*Change)(char)> std::string_view changed(std::string_view value, char* out)
{
    const bool normal
        = std::all_of(value.begin(), value.end(), [](char c) { return Change(c) == c; });
    if (normal) {
        return value;
    }
    std::transform(value.begin(), value.end(), out, Change);
    return {out, value.size()};
}

/// A colon starts a port if it is the only one (or follows a bracket) and digits alone follow.
std::string_view withoutPort(std::string_view host)
{
    const std::size_t colon = host.rfind(':');
    if (colon == host.npos) {
        return host;
    }
    const std::string_view name = host.substr(0, colon);
    const std::string_view port = host.substr(colon + 1);
    const bool digits = std::all_of(port.begin(), port.end(), isDigit);
    const bool single = name.find(':') == name.npos || name.back() == ']';
    return digits && single ? name : host;
}

} // namespace

NormalForm normalFormOf(std::string_view attribute)
{
    if (attribute == "client_ip") {
        return NormalForm::Address;
    }
    if (attribute == "host") {
        return NormalForm::Host;
    }
    if (attribute == "method") {
        return NormalForm::Method;
    }
    return attribute == "status" ? NormalForm::Status : NormalForm::AsIs;
}

std::string_view toNormalForm(NormalForm form, std::string_view value, char* out)
{
    if (value.empty()) {
        return kMissing;
    }
    switch (form) {
    case NormalForm::AsIs:
        return value;
    case NormalForm::Address:
        return normalAddress(value, out);
    case NormalForm::Host: {
        const std::string_view host = withoutPort(value);
        return host.empty() ? kMissing : changed<toLower>(host, out);
    }
    case NormalForm::Method:
        return changed<toUpper>(value, out);
    case NormalForm::Status: {
        if (value.size() == 3 && value[0] >= '1' && value[0] <= '9') {
            return value;
        }
        const std::optional<std::int64_t> status = wholeValue(value);
        return status && *status < 100 ? kMissing : value;
    }
    }
    return value;
}

} // namespace engine::attributes
