#pragma once
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// A simdjson DOM parser with the padded buffer that it reads from. One thread at a time.
typedef struct csimdjson_parser csimdjson_parser;

/// Where the parsed document lies: simdjson's tape (doc/tape.md of simdjson) and its strings.
/// Both belong to the parser and change with its next parse.
typedef struct {
    const uint64_t *tape;
    const uint8_t *strings;
} csimdjson_document;

enum {
    CSIMDJSON_SUCCESS = 0,
    CSIMDJSON_INVALID = 1,
    CSIMDJSON_NO_MEMORY = 2,
};

/// Null when there is no memory. The caller frees it with `csimdjson_free`.
csimdjson_parser *csimdjson_make(size_t maximum_depth);
void csimdjson_free(csimdjson_parser *parser);

/// Copies the bytes into the padded buffer and parses them.
int csimdjson_parse(
    csimdjson_parser *parser, const uint8_t *bytes, size_t count, csimdjson_document *document);

/// Lets go of the buffers; the next parse makes new ones.
void csimdjson_shrink(csimdjson_parser *parser);

/// How many bytes the parser can read without allocating.
size_t csimdjson_capacity(const csimdjson_parser *parser);

#ifdef __cplusplus
}
#endif
