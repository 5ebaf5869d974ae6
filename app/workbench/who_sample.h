#pragma once
#include "engine/request.h"
#include "storage/log_reader.h"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace app {

/// The first requests of each of several LOGs, with texts of their own: what settles `who` whatever
/// the order in which the LOGs are read. At most 10,000 over all, 20 to 1,000 of each.
class WhoSample {
public:
    WhoSample(std::vector<std::string> fields, std::size_t logs)
        : m_fields(std::move(fields))
        , m_share(std::clamp<std::size_t>(10'000 / std::max<std::size_t>(logs, 1), 20, 1'000))
    {
        m_batch.fieldCount = m_fields.size();
    }

    /// Selects the fields in the reader, and reads its head.
    void look(storage::LogReader& reader)
    {
        reader.selectFields(m_fields);
        storage::LogBlock head;
        reader.parseHead(head);
        const std::size_t count = std::min(m_share, head.batch.requests.size());
        for (std::size_t i = 0; i < count; ++i) {
            m_batch.requests.push_back(head.batch.requests[i]);
            for (std::size_t field = 0; field < m_fields.size(); ++field) {
                const std::string_view value = head.batch.valuesOf(i)[field];
                m_batch.values.push_back(value.data() == nullptr
                                             ? std::string_view()
                                             : std::string_view(m_texts.emplace_back(value)));
            }
        }
    }

    [[nodiscard]] const engine::RequestBatch& batch() const { return m_batch; }

private:
    std::vector<std::string> m_fields;
    std::size_t m_share;
    std::deque<std::string> m_texts;
    engine::RequestBatch m_batch;
};

} // namespace app
