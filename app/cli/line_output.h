#pragma once
#include "app/cli/low_args.h"
#include "app/cli/output.h"
#include "engine/result.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace app {
class ReplacingFile;
}

namespace storage {
class CompressedWriter;
}

namespace app::cli {

/// Where lines of a log go: stdout, or a file that appears under its name only when it is whole. A
/// name that ends in .gz or .zst is packed. One thread.
class LineOutput {
public:
    /// -o; nothing for stdout. Errors: cli.usage (a packing that is not written here).
    static engine::Result<std::optional<std::string>> pathOf(const LowArgs& args);

    /// Whoever read the lines has seen enough: no error.
    static bool isGone(const engine::Diagnostic& diagnostic);

    LineOutput(Output& out, std::optional<std::string> path);
    ~LineOutput(); ///< without finish() there is no file
    LineOutput(const LineOutput&) = delete;
    LineOutput& operator=(const LineOutput&) = delete;

    /// Opens the file when the first lines come, so that a log that cannot be read leaves none.
    /// Errors: file.write, and those of isGone().
    engine::Status write(std::string_view lines);

    /// An empty log is an empty file. Errors: those of write().
    engine::Status finish();

private:
    Output& m_out;
    std::optional<std::string> m_path;
    std::unique_ptr<ReplacingFile> m_file;
    std::unique_ptr<storage::CompressedWriter> m_packer;
};

} // namespace app::cli
