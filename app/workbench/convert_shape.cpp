#include "app/workbench/convert_shape.h"

#include "app/workbench/near_miss.h"
#include "engine/attributes.h"
#include "engine/intake.h"

#include <algorithm>
#include <array>
#include <deque>
#include <fmt/format.h>

namespace app {
namespace {

/// Who is counted, what production answered, how long it took: a replay asks for them whatever its
/// policy.
constexpr std::array<std::string_view, 5> kAlwaysKept {"client_ip", "user", "api_key", "status",
                                                       "duration"};

/// What rules match on by its text, and numbers.
constexpr std::array<std::string_view, 6> kFixed {"path",   "method",   "host",
                                                  "status", "duration", "bytes"};

/// Ends of the values that a text may be made of: entries of a list, parameters of a query.
constexpr std::string_view kBetween = " ,;=&\"";

/// Shorter values are looked for as whole fields only: everything has a `1`.
constexpr std::size_t kLeastPart = 4;

/// `x_forwarded_for`, `http_x_forwarded_for`, `xff`, `forwarded`.
bool isAddressList(std::string_view field)
{
    return field.find("forwarded_for") != field.npos || field.find("xff") != field.npos
        || field == "forwarded" || field == "http_forwarded";
}

std::optional<std::size_t> indexOf(const std::vector<std::string>& names, std::string_view name)
{
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - names.begin()));
}

bool contains(const std::vector<std::string>& names, std::string_view name)
{
    return indexOf(names, name).has_value();
}

engine::Status mustHave(const std::vector<std::string>& fields, const std::string& name,
                        std::string_view option)
{
    if (contains(fields, name)) {
        return engine::Done {};
    }
    return engine::fail("convert.no-attribute",
                        fmt::format("{} {}: the log has no such attribute", option, name),
                        suggest(name, fields, "`weir inspect LOG` lists what it has"));
}

/// The plan with a rule that uses all its attributes: those that no rule of its own uses are for
/// --by and for gates, which ask what comes of the log.
engine::Plan withAllUsed(const engine::Plan& plan)
{
    engine::Plan used = plan;
    engine::PlanRule& rule = used.rules.emplace_back();
    for (const engine::Derivation& attribute : plan.attributes) {
        rule.key.push_back(attribute.name);
    }
    return used;
}

} // namespace

/// A value that must not be written, of the request at hand.
struct Masked {
    std::string_view attribute;
    std::string_view raw;
    std::string normal;
};

class Shaper::Shaped {
public:
    explicit Shaped(MaskKey key)
        : pseudonyms(key)
    {
    }

    engine::RequestBatch batch;
    std::deque<std::string> texts; ///< what values were written anew
    std::string normal;
    Pseudonyms pseudonyms;
    engine::Resolver::ScratchPtr scratch;
    std::vector<std::string_view> resolverFields;
    std::vector<std::string_view> derived;
    std::vector<Masked> masked;
    LeftOut leftOut;
};

class Shaper::Parts {
public:
    /// One field of the output.
    struct Written {
        std::optional<std::size_t> read;
        std::optional<std::size_t> derived;
        std::string maskAs; ///< the attribute's name; empty: as it is
        bool isFixed = false; ///< rules match on it: written as it is, whatever it holds
        bool isAddressList = false; ///< and client_ip is masked
    };

    MaskKey key;
    std::deque<engine::Plan> plans; ///< whose every attribute is used
    std::unique_ptr<engine::Resolver> resolver;
    std::vector<std::optional<std::size_t>> resolverReads; ///< by field of the resolver
    std::vector<std::string> reads;
    std::vector<std::string> writes;
    std::vector<Written> written;
    std::optional<KeySample> sample;
    std::optional<std::size_t> sampleAt;

    void choose(const ConvertShape& shape, const std::vector<std::string>& fields);
    void addResolved(const ConvertShape& shape);
    [[nodiscard]] bool keeps(const engine::Request& request, const std::string_view* values,
                             Shaped& shaped) const;
    [[nodiscard]] std::string_view masked(const Written& field, std::string_view value,
                                          Shaped& shaped) const;
    void noteMasked(const std::string_view* values, Shaped& shaped) const;
    [[nodiscard]] std::string_view withoutMasked(std::size_t at, std::string_view value,
                                                 Shaped& shaped) const;
    [[nodiscard]] std::optional<std::string>
    pseudonymOf(std::string_view token, const Written& field, Shaped& shaped) const;
};

/// The fields that go over as they are, or masked.
void Shaper::Parts::choose(const ConvertShape& shape, const std::vector<std::string>& fields)
{
    const auto wanted = [&](std::string_view name) {
        return shape.plans.empty() || contains(resolver->fields(), name)
            || std::find(kAlwaysKept.begin(), kAlwaysKept.end(), name) != kAlwaysKept.end()
            || contains(shape.mask, name);
    };
    for (const std::string& field : fields) {
        if (wanted(field)) {
            writes.push_back(field);
            written.push_back({reads.size(), std::nullopt,
                               contains(shape.mask, field) ? field : std::string(),
                               std::find(kFixed.begin(), kFixed.end(), field) != kFixed.end(),
                               isAddressList(field) && contains(shape.mask, "client_ip")});
            reads.push_back(field);
        }
    }
    if (sample && !contains(reads, sample->attribute)) {
        reads.push_back(sample->attribute);
    }
    if (sample) {
        sampleAt = indexOf(reads, sample->attribute);
    }
    for (const std::string& field : resolver->fields()) { // `where` may ask for more
        if (!contains(reads, field) && contains(fields, field)) {
            reads.push_back(field);
        }
        resolverReads.push_back(indexOf(reads, field));
    }
}

/// What is derived from a masked field could not be derived again.
void Shaper::Parts::addResolved(const ConvertShape& shape)
{
    for (std::size_t i = 0; i < resolver->derived().size(); ++i) {
        const std::vector<std::string> sources = resolver->madeOf(i);
        const bool isLost = std::any_of(sources.begin(), sources.end(), [&](const auto& source) {
            return contains(shape.mask, source);
        });
        const std::string& name = resolver->derived()[i];
        if (isLost) {
            writes.push_back(std::string(engine::kResolvedPrefix) + name);
            written.push_back({std::nullopt, i, contains(shape.mask, name) ? name : std::string()});
        }
    }
}

Shaper::Shaper(std::unique_ptr<Parts> parts)
    : m_parts(std::move(parts))
{
}

Shaper::~Shaper() = default;

engine::Result<std::unique_ptr<Shaper>> Shaper::make(const ConvertShape& shape,
                                                     const std::vector<std::string>& fields)
{
    auto parts = std::make_unique<Parts>();
    std::vector<const engine::Plan*> plans;
    for (const engine::Plan* plan : shape.plans) {
        plans.push_back(&parts->plans.emplace_back(withAllUsed(*plan)));
    }
    auto resolver = engine::Resolver::make(plans, shape.where);
    if (!resolver) {
        return engine::fail(resolver.error());
    }
    for (const std::string& name : shape.mask) {
        if (name == "duration" || name == "status" || name == "time") {
            return engine::fail("cli.usage", fmt::format("--mask {}: it is no text", name),
                                "mask what says who it was: client_ip, user, api_key");
        }
        if (contains((*resolver)->derived(), name)) {
            continue;
        }
        if (auto has = mustHave(fields, name, "--mask"); !has) {
            return engine::fail(has.error());
        }
    }
    if (shape.sample) {
        if (auto has = mustHave(fields, shape.sample->attribute, "--sample-by"); !has) {
            return engine::fail(has.error());
        }
    }
    parts->key = shape.maskKey;
    parts->sample = shape.sample;
    parts->resolver = std::move(*resolver);
    parts->choose(shape, fields);
    parts->addResolved(shape);
    return std::unique_ptr<Shaper>(new Shaper(std::move(parts)));
}

const std::vector<std::string>& Shaper::reads() const
{
    return m_parts->reads;
}

const std::vector<std::string>& Shaper::writes() const
{
    return m_parts->writes;
}

void Shaper::DeleteShaped::operator()(Shaped* shaped) const
{
    delete shaped;
}

Shaper::ShapedPtr Shaper::makeShaped() const
{
    ShapedPtr shaped(new Shaped(m_parts->key));
    shaped->scratch = m_parts->resolver->makeScratch();
    shaped->resolverFields.resize(m_parts->resolverReads.size());
    shaped->derived.resize(m_parts->resolver->derived().size());
    return shaped;
}

bool Shaper::Parts::keeps(const engine::Request& request, const std::string_view* values,
                          Shaped& shaped) const
{
    for (std::size_t i = 0; i < resolverReads.size(); ++i) {
        shaped.resolverFields[i]
            = resolverReads[i] ? values[*resolverReads[i]] : std::string_view();
    }
    if (!resolver->resolve(request, shaped.resolverFields.data(), *shaped.scratch,
                           shaped.derived.data())) {
        ++shaped.leftOut.byWhere;
        return false;
    }
    if (!sample) {
        return true;
    }
    const std::string_view value
        = engine::normalise(sample->attribute, values[*sampleAt], shaped.normal);
    if (value.empty()) {
        ++shaped.leftOut.withoutKey;
        return false;
    }
    if (sipHash(key, value) >= sample->below) {
        ++shaped.leftOut.bySample;
        return false;
    }
    return true;
}

std::string_view Shaper::Parts::masked(const Written& field, std::string_view value,
                                       Shaped& shaped) const
{
    if (field.maskAs.empty() || value.empty()) {
        return value;
    }
    const std::string_view normal = engine::normalise(field.maskAs, value, shaped.normal);
    return normal.empty() ? std::string_view()
                          : shaped.texts.emplace_back(shaped.pseudonyms.of(field.maskAs, normal));
}

/// The values of this request that must not be written.
void Shaper::Parts::noteMasked(const std::string_view* values, Shaped& shaped) const
{
    shaped.masked.clear();
    for (const Written& field : written) {
        const std::string_view raw = field.read ? values[*field.read] : std::string_view();
        if (!field.maskAs.empty() && !raw.empty()) {
            const std::string_view normal = engine::normalise(field.maskAs, raw, shaped.normal);
            shaped.masked.push_back({field.maskAs, raw, std::string(normal)});
        }
    }
}

/// What stands for a part of a text that is a value to be masked.
std::optional<std::string> Shaper::Parts::pseudonymOf(std::string_view token, const Written& field,
                                                      Shaped& shaped) const
{
    for (const Masked& masked : shaped.masked) {
        if (token == masked.raw || token == masked.normal) {
            return shaped.pseudonyms.of(masked.attribute, masked.normal);
        }
        const auto address
            = masked.attribute == "client_ip" ? engine::parseAddress(token) : std::nullopt;
        if (address && engine::toText(*address) == masked.normal) {
            return shaped.pseudonyms.of(masked.attribute, masked.normal);
        }
    }
    if (const auto address = field.isAddressList ? engine::parseAddress(token) : std::nullopt) {
        return shaped.pseudonyms.of("client_ip", engine::toText(*address));
    }
    return std::nullopt;
}

/// A value of a field that is not masked itself, without those that are.
std::string_view Shaper::Parts::withoutMasked(std::size_t at, std::string_view value,
                                              Shaped& shaped) const
{
    const Written& field = written[at];
    std::string_view kept = value;
    bool hasShort = false;
    if (!field.isFixed) {
        if (const auto whole = pseudonymOf(value, field, shaped)) {
            return shaped.texts.emplace_back(*whole);
        }
        std::string text;
        bool isNew = false;
        for (std::size_t begin = 0; begin <= value.size();) {
            const std::size_t end = std::min(value.find_first_of(kBetween, begin), value.size());
            const std::string_view token = value.substr(begin, end - begin);
            auto pseudonym = pseudonymOf(token, field, shaped);
            if (pseudonym && token.size() < kLeastPart) {
                hasShort = true;
                pseudonym.reset();
            }
            text += pseudonym ? std::string_view(*pseudonym) : token;
            text += end < value.size() ? value.substr(end, 1) : std::string_view();
            isNew = isNew || pseudonym.has_value();
            begin = end + 1;
        }
        kept = isNew ? std::string_view(shaped.texts.emplace_back(std::move(text))) : value;
    }
    const bool isShown
        = hasShort
        || std::any_of(shaped.masked.begin(), shaped.masked.end(), [kept](const Masked& masked) {
               return masked.raw.size() >= kLeastPart && kept.find(masked.raw) != kept.npos;
           });
    shaped.leftOut.stillShown[at] += isShown ? 1U : 0U;
    return kept;
}

const engine::RequestBatch& Shaper::shape(const engine::RequestBatch& read, Shaped& shaped) const
{
    const Parts& parts = *m_parts;
    engine::RequestBatch& out = shaped.batch;
    out.clear();
    out.fieldCount = parts.written.size();
    shaped.texts.clear();
    shaped.leftOut = {};
    shaped.leftOut.stillShown.assign(parts.written.size(), 0);
    for (std::size_t i = 0; i < read.requests.size(); ++i) {
        const std::string_view* const values = read.valuesOf(i);
        if (!parts.keeps(read.requests[i], values, shaped)) {
            continue;
        }
        out.requests.push_back(read.requests[i]);
        parts.noteMasked(values, shaped);
        for (std::size_t at = 0; at < parts.written.size(); ++at) {
            const Parts::Written& field = parts.written[at];
            std::string_view value
                = field.read ? values[*field.read] : shaped.derived[*field.derived];
            if (field.derived && field.maskAs.empty() && !value.empty()) {
                value = shaped.texts.emplace_back(value); // the scratch is used again
            }
            const bool asItIs = value.empty() || !field.maskAs.empty() || shaped.masked.empty();
            out.values.push_back(asItIs ? parts.masked(field, value, shaped)
                                        : parts.withoutMasked(at, value, shaped));
        }
    }
    return out;
}

Shaper::LeftOut Shaper::leftOut(const Shaped& shaped)
{
    return shaped.leftOut;
}

} // namespace app
