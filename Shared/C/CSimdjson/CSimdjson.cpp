#include "CSimdjson.h"

#include <simdjson.h>

#include <cstring>
#include <memory>
#include <new>

struct csimdjson_parser {
    explicit csimdjson_parser(size_t depth) : maximum_depth(depth) {}

    size_t maximum_depth;
    size_t capacity = 0;
    std::unique_ptr<uint8_t[]> padded;
    simdjson::dom::parser parser;
};

namespace {

/// Small buffers grow by doubling, so that a run of slightly larger documents does not allocate each time.
/// Large ones are not kept, and get what they need.
bool grow(csimdjson_parser *parser, size_t count) {
    const size_t largest_doubled = 16384;
    size_t capacity = 4096;
    while (capacity < count && capacity < largest_doubled) capacity *= 2;
    if (capacity < count) capacity = count;
    parser->capacity = 0;
    parser->padded.reset(new (std::nothrow) uint8_t[capacity + simdjson::SIMDJSON_PADDING]());
    if (!parser->padded) return false;
    if (parser->parser.allocate(capacity, parser->maximum_depth)) return false;
    parser->capacity = capacity;
    return true;
}

}  // namespace

extern "C" csimdjson_parser *csimdjson_make(size_t maximum_depth) {
    return new (std::nothrow) csimdjson_parser(maximum_depth);
}

extern "C" void csimdjson_free(csimdjson_parser *parser) { delete parser; }

extern "C" int csimdjson_parse(
    csimdjson_parser *parser, const uint8_t *bytes, size_t count, csimdjson_document *document) {
    if (count > parser->capacity && !grow(parser, count)) return CSIMDJSON_NO_MEMORY;
    if (count > 0) std::memcpy(parser->padded.get(), bytes, count);
    auto error = parser->parser.parse(parser->padded.get(), count, false).error();
    if (error == simdjson::MEMALLOC) return CSIMDJSON_NO_MEMORY;
    if (error) return CSIMDJSON_INVALID;
    document->tape = parser->parser.doc.tape.get();
    document->strings = parser->parser.doc.string_buf.get();
    return CSIMDJSON_SUCCESS;
}

extern "C" void csimdjson_shrink(csimdjson_parser *parser) {
    parser->padded.reset();
    parser->parser = simdjson::dom::parser();
    parser->capacity = 0;
}

extern "C" size_t csimdjson_capacity(const csimdjson_parser *parser) { return parser->capacity; }
