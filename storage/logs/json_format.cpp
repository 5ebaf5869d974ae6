#include "engine/attributes.h"
#include "storage/logs/formats.h"
#include "storage/logs/json_kind.h"
#include "storage/logs/json_parser.h"

#include <algorithm>

namespace storage::logs {
namespace {

/// Any JsonKind as a format.
class JsonFormat final : public LogFormat {
public:
    JsonFormat(const JsonKind& kind, FormatOptions options)
        : m_kind(kind)
        , m_options(std::move(options))
    {
    }

    [[nodiscard]] std::string name() const override { return std::string(m_kind.name); }

    [[nodiscard]] std::vector<std::string> fields() const override;

    [[nodiscard]] bool isOpenEnded() const override { return true; }

    [[nodiscard]] std::vector<std::string> remarks() const override
    {
        return {m_kind.remarks.begin(), m_kind.remarks.end()};
    }

    void collectFields(std::string_view line, FieldNames& names) const override;

    [[nodiscard]] std::unique_ptr<LineParser>
    parser(const std::vector<std::string>& fields) const override
    {
        return std::make_unique<JsonParser>(m_kind, m_options, fields);
    }

private:
    const JsonKind& m_kind;
    FormatOptions m_options;
};

std::vector<std::string> JsonFormat::fields() const
{
    std::vector<std::string> names(engine::kBuiltInAttributes.begin(),
                                   engine::kBuiltInAttributes.end());
    const auto add = [&](std::string_view name) {
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            names.emplace_back(name);
        }
    };
    for (const FieldMapping& mapping : m_options.mappings) {
        if (mapping.name != "time" && mapping.name != "start" && mapping.name != "request") {
            add(mapping.name);
        }
    }
    return names;
}

/// Keys that a line gives as a built-in attribute or as its time are no further fields.
void JsonFormat::collectFields(std::string_view line, FieldNames& names) const
{
    std::vector<std::string> paths;
    names.leaveOut(collectJsonKeys(line, FieldNames::kLongest, paths));
    for (const std::string& path : paths) {
        const auto list = std::find_if(
            m_kind.sources.begin(), m_kind.sources.end(), [&](const RecordSource& source) {
                return source.attribute == "x_forwarded_for" && source.field == path;
            });
        if (list != m_kind.sources.end()) {
            names.add(list->attribute);
        } else if (!isRead(m_kind, m_options.mappings, path)) {
            const std::string header = headerOfPath(m_kind, path);
            names.add(header.empty() ? path : header);
        }
    }
}

} // namespace

MadeFormat makeJsonFormat(std::string_view name, const FormatOptions& options)
{
    return std::shared_ptr<const LogFormat>(std::make_shared<JsonFormat>(*jsonKind(name), options));
}

} // namespace storage::logs
