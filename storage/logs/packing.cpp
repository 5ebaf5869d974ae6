#include "storage/logs/packing.h"

#include "storage/logs/gzip.h"
#include "storage/logs/zstd.h"

#include <algorithm>
#include <array>

namespace storage::logs {
namespace {

constexpr std::string_view kZstdMagic("\x28\xb5\x2f\xfd", 4);
constexpr std::string_view kSkippableTail("\x2a\x4d\x18", 3); // behind 50 to 5f
constexpr std::string_view kBzipTail("\x31\x41\x59\x26\x53\x59", 6); // behind BZh and 1 to 9
constexpr std::size_t kTarPlace = 257;

bool isBzip(std::string_view head)
{
    return head.starts_with("BZh") && head.size() >= 4 && head[3] >= '1' && head[3] <= '9'
        && head.substr(4).starts_with(kBzipTail);
}

bool isTar(std::string_view head)
{
    // The name in front of it is padded with zeros, which no line of a log has.
    return head.size() >= kPackingBytes && head.substr(kTarPlace).starts_with("ustar")
        && head.find('\0') < kTarPlace;
}

struct Kind {
    std::string_view magic; ///< empty: `fits` tells
    bool (*fits)(std::string_view head);
    Packing packing;
};

constexpr std::array<Kind, 12> kKinds {{
    {kGzipMagic, nullptr, {"gzip", "gzip -dc NAME", makeGzipDecoder}},
    {{}, isZstd, {"zstd", "zstd -dc NAME", makeZstdDecoder}},
    {std::string_view("\xfd\x37\x7a\x58\x5a\x00", 6), nullptr, {"xz", "xz -dc NAME", nullptr}},
    {{}, isBzip, {"bzip2", "bzip2 -dc NAME", nullptr}},
    {std::string_view("\x04\x22\x4d\x18", 4), nullptr, {"lz4", "lz4 -dc NAME", nullptr}},
    {std::string_view("\x1f\x9d", 2), nullptr, {"compress", "gzip -dc NAME", nullptr}},
    {"LZIP", nullptr, {"lzip", "lzip -dc NAME", nullptr}},
    {std::string_view("PK\x03\x04", 4), nullptr, {"zip", "unzip -p NAME", nullptr}},
    {std::string_view("7z\xbc\xaf\x27\x1c", 6), nullptr, {"7z", "7z x -so NAME", nullptr}},
    {std::string_view("Rar!\x1a\x07", 6), nullptr, {"rar", "unrar p -inul NAME", nullptr}},
    {{}, isTar, {"tar", "tar -xOf NAME", nullptr}},
    {{}, nullptr, {}},
}};

} // namespace

bool isZstd(std::string_view head)
{
    return head.starts_with(kZstdMagic)
        || (!head.empty() && head[0] >= '\x50' && head[0] <= '\x5f'
            && head.substr(1).starts_with(kSkippableTail));
}

const Packing& packingOf(std::string_view head)
{
    const auto found = std::find_if(kKinds.begin(), kKinds.end() - 1, [head](const Kind& kind) {
        return kind.fits != nullptr ? kind.fits(head) : head.starts_with(kind.magic);
    });
    return found->packing;
}

std::string unpackCommand(std::string_view unpack, std::string_view path)
{
    std::string command(unpack.substr(0, unpack.find("NAME")));
    if (path == "-") {
        return command + '-'; // most tools read standard input so
    }
    const bool isPlain = path.find_first_not_of(
                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-")
            == std::string_view::npos
        && !path.empty() && path.front() != '-';
    if (isPlain) {
        return command.append(path);
    }
    // Messages are escaped on their way to a terminal: what that would change cannot stand in a
    // command, least of all a backslash that quotes.
    const bool isChanged = std::any_of(path.begin(), path.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\';
    });
    if (isChanged || path.empty()) {
        return command + "FILE";
    }
    command += path.starts_with('-') ? "'./" : "'";
    for (const char c : path) {
        if (c == '\'') {
            command += R"('"'"')";
        } else {
            command += c;
        }
    }
    return command + "'";
}

} // namespace storage::logs
