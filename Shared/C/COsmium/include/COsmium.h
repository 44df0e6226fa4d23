#pragma once
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/// A file of OpenStreetMap data that libosmium reads, with threads of its own. The reader itself is
/// used by one thread at a time.
typedef struct cosmium_reader cosmium_reader;

enum {
    COSMIUM_SUCCESS = 0,
    COSMIUM_END = 1,
    COSMIUM_NOT_FOUND = 2,
    COSMIUM_UNREADABLE = 3,
    COSMIUM_UNKNOWN_FORMAT = 4,
    COSMIUM_DAMAGED = 5,
    COSMIUM_TOO_LARGE = 6,
    COSMIUM_NO_MEMORY = 7,
};

enum { COSMIUM_NODE = 1, COSMIUM_WAY = 2, COSMIUM_RELATION = 4 };

typedef struct {
    /// On disk, and unpacked.
    uint64_t file_bytes;
    uint64_t unpacked_bytes;
    /// Of XML without a `>`: libexpat keeps so much of an element in memory.
    uint64_t markup_bytes;
} cosmium_limits;

/// A node, way or relation; pointers live until the next call with the reader.
typedef struct {
    int kind;
    int64_t id;
    /// Of a node, in degrees, as the file says them, when it does.
    int has_location;
    double latitude;
    double longitude;
    /// Keys and values in turn, so 2 x tag_count strings.
    size_t tag_count;
    const char *const *tags;
    /// The nodes of a way or the members of a relation; the latter with what they are and their roles.
    size_t member_count;
    const int64_t *members;
    const int *member_kinds;
    const char *const *member_roles;
} cosmium_entity;

/// Null when there is no memory. The caller frees it with `cosmium_free`, however opening went.
cosmium_reader *cosmium_make(void);
void cosmium_free(cosmium_reader *reader);

/// Measures the file against the limits, then opens it for what `kinds` names. Once for each reader.
int cosmium_open(
    cosmium_reader *reader, const char *path, int kinds, const cosmium_limits *limits);

/// The same for a file in memory, which is copied.
int cosmium_open_bytes(
    cosmium_reader *reader, const void *bytes, size_t count, int kinds,
    const cosmium_limits *limits);

/// Success with the next entity in the file's order, or end, or what went wrong.
int cosmium_next(cosmium_reader *reader, cosmium_entity *entity);

/// What went wrong, for people; lives until the next call with the reader.
const char *cosmium_detail(const cosmium_reader *reader);

#ifdef __cplusplus
}
#endif
