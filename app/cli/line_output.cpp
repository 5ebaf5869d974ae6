#include "app/cli/line_output.h"

#include "app/cli/usage.h"
#include "app/workbench/files.h"
#include "storage/compressed_writer.h"

#include <fmt/format.h>

namespace app::cli {
namespace {

/// A name that asks for a packing that is not written here.
bool asksForOther(std::string_view name)
{
    return name.ends_with(".xz") || name.ends_with(".bz2") || name.ends_with(".lz4")
        || name.ends_with(".zip") || name.ends_with(".7z");
}

} // namespace

engine::Result<std::optional<std::string>> LineOutput::pathOf(const LowArgs& args)
{
    std::optional<std::string> path = args.text(OptionId::Output);
    if (path == "-") {
        return std::optional<std::string> {};
    }
    if (path && asksForOther(*path)) {
        return usage(fmt::format("`{}` asks for a packing that is not written", *path),
                     "name a file that ends in .zst or .gz, or pack what comes on stdout");
    }
    return path;
}

bool LineOutput::isGone(const engine::Diagnostic& diagnostic)
{
    return diagnostic.code == "cli.gone" || diagnostic.code == "file.gone";
}

LineOutput::LineOutput(Output& out, std::optional<std::string> path)
    : m_out(out)
    , m_path(std::move(path))
{
}

LineOutput::~LineOutput() = default;

engine::Status LineOutput::write(std::string_view lines)
{
    if (!m_path) {
        m_out.write(lines);
        return m_out.isGone()
            ? engine::Status(engine::fail("cli.gone", "nobody reads the output any more"))
            : engine::Done {};
    }
    if (!m_file) {
        engine::Result<std::unique_ptr<ReplacingFile>> file = ReplacingFile::open(*m_path);
        if (!file) {
            return engine::fail(file.error());
        }
        m_file = std::move(*file);
        if (const auto kind = storage::CompressedWriter::kindOf(*m_path)) {
            m_packer = std::make_unique<storage::CompressedWriter>(
                *kind, [this](std::string_view packed) { return m_file->write(packed); });
        }
    }
    return m_packer ? m_packer->write(lines) : m_file->write(lines);
}

engine::Status LineOutput::finish()
{
    if (engine::Status written = write({}); !written) {
        return written;
    }
    if (m_packer) {
        if (engine::Status finished = m_packer->finish(); !finished) {
            return finished;
        }
    }
    return m_file ? m_file->commit() : engine::Status(engine::Done {});
}

} // namespace app::cli
