#pragma once
#include "engine/attributes.h"
#include "engine/attributes/fact_cache.h"
#include "engine/attributes/text_arena.h"
#include "engine/intake/schema.h"
#include "engine/request.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace engine::intake {

/// A text on its way to an interner. No data: the value is missing.
struct Key {
    std::uint64_t hash = 0;
    const char* data = nullptr;
    std::uint32_t size = 0;
    bool isPattern = false; ///< a path group that is the text of a pattern

    [[nodiscard]] std::string_view text() const { return {data, size}; }
};

/// The text of a network (SlotKind::Prefix) of an address in normal form; missing for what is none.
std::string_view networkOf(const Slot& slot, std::string_view address,
                           attributes::TextArena& arena);

/// What one thread needs to look at a request: the values of its slots, and memories of texts that
/// it has seen. One request at a time; results are valid until the next evaluate().
class Workspace {
public:
    /// Borrows the schema. `cacheBytes` bounds all its caches together; 0: none.
    Workspace(const Schema& schema, std::size_t cacheBytes);

    void evaluate(const Request& request, const std::string_view* fields,
                  attributes::TextArena& arena);

    /// The same for some slots only; those they are derived from come before them. `hash` is that
    /// of the text of the first one's field, if it is known, else 0.
    void evaluate(const std::vector<std::uint32_t>& slots, std::uint64_t hash,
                  const Request& request, const std::string_view* fields,
                  attributes::TextArena& arena);

    /// Behind evaluate() of what a network is derived from: notes whether there is one.
    void noteNetwork(std::uint32_t slot);

    [[nodiscard]] std::string_view value(std::uint32_t slot) const { return m_values[slot].text; }

    [[nodiscard]] const std::vector<std::uint64_t>& words() const { return m_words; }

    [[nodiscard]] Key key(const std::vector<std::uint32_t>& slots, attributes::TextArena& arena);
    [[nodiscard]] Key pathGroup(std::size_t grouping) const;
    /// 0 where there is no usable value.
    [[nodiscard]] std::int64_t cost(const SchemaCost& cost, const Request& request) const;

private:
    /// What the loop over the slots needs of each, side by side.
    struct Step {
        SlotKind kind = SlotKind::Field;
        attributes::NormalForm form = attributes::NormalForm::AsIs;
        std::uint32_t source = 0;
        std::uint32_t resolved = kNoId;
        std::uint32_t presenceWord = 0;
        std::uint32_t testWords = 0;
        std::uint64_t presenceBit = 0; ///< 0: nobody asks
        std::uint64_t* words = nullptr; ///< where the bits of its tests go
        std::uint64_t* ownFacts = nullptr; ///< for values that no cache holds; nullptr: no facts
        attributes::FactCache* cache = nullptr;
        const Slot* slot = nullptr;
    };

    /// What is known of a slot's value in this request.
    struct Value {
        std::string_view text;
        std::uint64_t hash = 0; ///< 0: not known yet
        const std::uint64_t* facts = nullptr;
        std::uint32_t ipv4 = 0;
        Address address;
        bool isIpv4 = false; ///< the text is `ipv4` in normal form
        bool isAddress = false; ///< it is `address`
    };

    void evaluateSlot(std::size_t slot, std::uint64_t hash, const Request& request,
                      const std::string_view* fields, attributes::TextArena& arena);
    void forgetPresence();
    void makeCaches(std::size_t cacheBytes);
    [[nodiscard]] std::string_view compute(const Step& step, Value& value, const Request& request,
                                           const std::string_view* fields,
                                           attributes::TextArena& arena);
    [[nodiscard]] static std::string_view durationText(const Step& step, const Request& request,
                                                       attributes::TextArena& arena);
    [[nodiscard]] std::string_view derive(const Step& step, attributes::TextArena& arena) const;
    [[nodiscard]] static std::uint64_t hashOf(Value& value);
    void findFacts(const Step& step, Value& value, const Request& request);
    void examine(const Slot& slot, std::uint64_t* facts);
    void examineGrouping(const Grouping& grouping, std::uint64_t* facts);

    const Schema& m_schema;
    attributes::Subject m_subject;
    std::vector<Step> m_steps;
    std::vector<Value> m_values;
    std::vector<std::uint64_t> m_words;
    std::vector<std::uint64_t> m_ownFacts;
    std::vector<std::size_t> m_groupingAt; ///< by grouping: place among the facts of its slot
    std::vector<std::unique_ptr<attributes::FactCache>> m_caches;
};

/// Workspaces to borrow: as many as there are threads in prepare() at once, with at most
/// kCacheBytes of caches among them; a thread beyond that works without.
class WorkspacePool {
public:
    static constexpr std::size_t kCacheBytes = std::size_t {8} << 20;

    explicit WorkspacePool(const Schema& schema);

    std::unique_ptr<Workspace> take();
    void giveBack(std::unique_ptr<Workspace> workspace);

private:
    const Schema& m_schema;
    std::size_t m_share; ///< cache bytes of each
    std::size_t m_left = kCacheBytes;
    std::mutex m_mutex;
    std::vector<std::unique_ptr<Workspace>> m_free;
};

} // namespace engine::intake
