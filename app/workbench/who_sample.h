#pragma once
#include "engine/intake.h"
#include "engine/request.h"
#include "storage/log_reader.h"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace app {

/// The first requests of each of several LOGs, with texts of their own: what settles `who` whatever
/// the order in which the LOGs are read. Of each up to 1,000, of more than 10 LOGs as many as make
/// 10,000 in all, of more than 500 LOGs 20 of each.
class WhoSample {
public:
    WhoSample(std::vector<std::string> fields, std::size_t logs)
        : m_fields(std::move(fields))
        , m_share(std::clamp<std::size_t>(10'000 / std::max<std::size_t>(logs, 1), 20, 1'000))
    {
    }

    /// Selects the fields in the reader, and those that the log gives resolved, and reads its head.
    void look(storage::LogReader& reader)
    {
        Part& part = m_parts.emplace_back();
        part.fields = m_fields;
        for (const std::string& field : reader.allFields()) {
            if (field.starts_with(engine::kResolvedPrefix)) {
                part.fields.push_back(field);
            }
        }
        reader.selectFields(part.fields);
        storage::LogBlock head;
        reader.parseHead(head);
        part.batch.fieldCount = part.fields.size();
        const std::size_t count = std::min(m_share, head.batch.requests.size());
        for (std::size_t i = 0; i < count; ++i) {
            part.batch.requests.push_back(head.batch.requests[i]);
            for (std::size_t field = 0; field < part.fields.size(); ++field) {
                const std::string_view value = head.batch.valuesOf(i)[field];
                part.batch.values.push_back(value.data() == nullptr
                                                ? std::string_view()
                                                : std::string_view(m_texts.emplace_back(value)));
            }
        }
    }

    /// All of the sample, with these of its fields. Views live as long as the sample.
    [[nodiscard]] engine::RequestBatch batch(const std::vector<std::string>& fields) const
    {
        engine::RequestBatch all;
        all.fieldCount = fields.size();
        for (const Part& part : m_parts) {
            std::vector<std::size_t> places;
            for (const std::string& field : fields) {
                const auto at = std::find(part.fields.begin(), part.fields.end(), field);
                places.push_back(static_cast<std::size_t>(at - part.fields.begin()));
            }
            for (std::size_t i = 0; i < part.batch.requests.size(); ++i) {
                all.requests.push_back(part.batch.requests[i]);
                for (const std::size_t place : places) {
                    all.values.push_back(place == part.fields.size()
                                             ? std::string_view()
                                             : part.batch.valuesOf(i)[place]);
                }
            }
        }
        return all;
    }

private:
    struct Part {
        std::vector<std::string> fields;
        engine::RequestBatch batch;
    };

    std::vector<std::string> m_fields;
    std::size_t m_share;
    std::deque<std::string> m_texts;
    std::vector<Part> m_parts; ///< by LOG
};

} // namespace app
