#include "storage/logs/zstd.h"

#include "storage/logs/packing.h"

#include <algorithm>
#include <vector>
#include <zstd.h>
#include <zstd_errors.h>

namespace storage::logs {
namespace {

constexpr int kWindowLog = 27;
constexpr std::size_t kBlockHeader = 3;

struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

class ZstdDecoder final : public Decoder {
public:
    ZstdDecoder()
        : m_context(ZSTD_createDCtx())
        , m_wanted(ZSTD_initDStream(m_context.get()))
    {
        ZSTD_DCtx_setParameter(m_context.get(), ZSTD_d_windowLogMax, kWindowLog);
    }

    Step step(std::string_view bytes, char* into, std::size_t room) override
    {
        // What a call decoded before it meets damage is lost. So it gets a block without the header
        // of the next one, which it asks for as well, and nothing while there may be text left.
        const std::size_t wanted = m_wanted > kBlockHeader ? m_wanted - kBlockHeader : m_wanted;
        const std::size_t size = m_filledRoom ? 0 : std::min(bytes.size(), wanted);
        ZSTD_inBuffer in {bytes.data(), size, 0};
        ZSTD_outBuffer out {into, room, 0};
        const std::size_t answer = ZSTD_decompressStream(m_context.get(), &out, &in);
        if (ZSTD_isError(answer) != 0U) {
            fail(ZSTD_getErrorCode(answer));
        } else if (answer == 0) {
            toState(State::BetweenParts);
        } else {
            m_wanted = answer;
        }
        m_filledRoom = out.pos == room;
        return {in.pos, out.pos};
    }

    [[nodiscard]] bool beginsPart(std::string_view head) const override { return isZstd(head); }

    void nextPart() override
    {
        m_wanted = ZSTD_initDStream(m_context.get());
        toState(State::Running);
    }

    [[nodiscard]] std::string_view otherWay() const override { return m_otherWay; }

private:
    void fail(ZSTD_ErrorCode error)
    {
        if (error == ZSTD_error_frameParameter_windowTooLarge) {
            m_otherWay = "zstd -dc --long=31 NAME";
            endWith(State::Refused, "it needs a window of more than 128 MiB");
        } else if (error == ZSTD_error_dictionary_wrong) {
            m_otherWay = "zstd -dc -D DICTIONARY NAME";
            endWith(State::Refused, "it was made with a dictionary, which it does not contain");
        } else {
            endWith(State::Damaged,
                    error == ZSTD_error_checksum_wrong ? "a checksum is wrong"
                                                       : "the compressed data is damaged");
        }
    }

    std::unique_ptr<ZSTD_DCtx, Free> m_context;
    std::size_t m_wanted;
    bool m_filledRoom = false;
    std::string_view m_otherWay;
};

class ZstdEncoder final : public Encoder {
public:
    ZstdEncoder()
        : m_context(ZSTD_createCCtx())
        , m_packed(ZSTD_CStreamOutSize())
    {
        ZSTD_CCtx_setParameter(m_context.get(), ZSTD_c_compressionLevel, 3);
        ZSTD_CCtx_setParameter(m_context.get(), ZSTD_c_checksumFlag, 1);
    }

    engine::Status add(std::string_view text, bool isLast, const Sink& sink) override
    {
        ZSTD_inBuffer in {text.data(), text.size(), 0};
        const ZSTD_EndDirective how = isLast ? ZSTD_e_end : ZSTD_e_continue;
        for (bool goOn = true; goOn;) {
            ZSTD_outBuffer out {m_packed.data(), m_packed.size(), 0};
            const std::size_t left = ZSTD_compressStream2(m_context.get(), &out, &in, how);
            if (ZSTD_isError(left) != 0U) {
                return engine::fail("log.pack", ZSTD_getErrorName(left));
            }
            if (out.pos > 0) {
                if (auto done = sink({m_packed.data(), out.pos}); !done) {
                    return done;
                }
            }
            goOn = isLast ? left != 0 : in.pos < in.size;
        }
        return engine::Done {};
    }

private:
    struct FreeEncoder {
        void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
    };

    std::unique_ptr<ZSTD_CCtx, FreeEncoder> m_context;
    std::vector<char> m_packed;
};

} // namespace

std::unique_ptr<Encoder> makeZstdEncoder()
{
    return std::make_unique<ZstdEncoder>();
}

std::unique_ptr<Decoder> makeZstdDecoder()
{
    return std::make_unique<ZstdDecoder>();
}

} // namespace storage::logs
