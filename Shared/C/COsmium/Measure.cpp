#include "Measure.h"

#include <sys/stat.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <protozero/pbf_message.hpp>
#include <protozero/pbf_reader.hpp>
#include <vector>

namespace cosmium {
namespace {

constexpr size_t chunk_bytes = 1 << 16;
// The format's own limits ("PBF Format", OpenStreetMap wiki, section File format).
constexpr uint32_t largest_blob_header = 64 << 10;
constexpr uint32_t largest_blob = 32 << 20;

enum class BlobHeader : protozero::pbf_tag_type { type = 1, datasize = 3 };
enum class Blob : protozero::pbf_tag_type { raw = 1, raw_size = 2, zlib_data = 3 };

/// A file that is unpacked if it is gzip and read as it is otherwise.
class Unpacked {
public:
    Unpacked(const char *path, uint64_t limit) : file(gzopen(path, "rb"), gzclose), limit(limit) {
        if (!file) throw Failure{COSMIUM_UNREADABLE, std::strerror(errno)};
    }

    bool is_gzip() { return gzdirect(file.get()) == 0; }

    /// Fewer than asked for only at the end.
    size_t read(void *bytes, size_t count) {
        int got = gzread(file.get(), bytes, static_cast<unsigned>(count));
        int status = Z_OK;
        const char *text = gzerror(file.get(), &status);
        if (got < 0 || status == Z_BUF_ERROR) {
            throw Failure{
                COSMIUM_DAMAGED, status == Z_BUF_ERROR ? "the gzip file ends too early" : text};
        }
        add(static_cast<uint64_t>(got));
        return static_cast<size_t>(got);
    }

    void add(uint64_t bytes) {
        total += bytes;
        if (total > limit) {
            throw Failure{
                COSMIUM_TOO_LARGE, "unpacks to more than " + std::to_string(limit) + " bytes"};
        }
    }

private:
    std::unique_ptr<gzFile_s, int (*)(gzFile)> file;
    uint64_t limit;
    uint64_t total = 0;
};

void measure_xml(Unpacked &file, std::vector<char> chunk, size_t count, uint64_t limit) {
    uint64_t open = 0;
    while (count > 0) {
        const char *begin = chunk.data();
        const char *end = begin + count;
        while (const void *found = std::memchr(begin, '>', static_cast<size_t>(end - begin))) {
            const char *close = static_cast<const char *>(found);
            open += static_cast<uint64_t>(close - begin);
            if (open > limit) break;
            open = 0;
            begin = close + 1;
        }
        if (open <= limit) open += static_cast<uint64_t>(end - begin);
        if (open > limit) {
            throw Failure{
                COSMIUM_TOO_LARGE, "more than " + std::to_string(limit) + " bytes without a >"};
        }
        count = file.read(chunk.data(), chunk.size());
    }
}

uint32_t big_endian(const unsigned char *bytes) {
    return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

/// Looks through the string tables of an unpacked block. libosmium keeps strings one after the other
/// with zeros between, so that one within a string would lead it beyond the end.
void check_strings(const char *bytes, size_t count) {
    constexpr auto nested = protozero::pbf_wire_type::length_delimited;
    protozero::pbf_reader block{bytes, count};
    while (block.next(1, nested)) {
        protozero::pbf_reader table = block.get_message();
        while (table.next(1, nested)) {
            protozero::data_view text = table.get_view();
            if (text.size() > 0 && std::memchr(text.data(), 0, text.size())) {
                throw Failure{COSMIUM_DAMAGED, "a string holds a zero byte"};
            }
        }
    }
}

/// Adds what a blob says that it unpacks to, and checks what is in it. Of fields that it has several
/// times libosmium takes the first `raw` and the last of the others.
void measure_blob(Unpacked &file, const std::vector<char> &bytes, bool has_strings) {
    protozero::data_view packed;
    uint32_t unpacked_size = 0;
    constexpr auto nested = protozero::pbf_wire_type::length_delimited;
    protozero::pbf_message<Blob> blob{bytes.data(), bytes.size()};
    while (blob.next()) {
        switch (blob.tag_and_type()) {
        case protozero::tag_and_type(Blob::raw, nested): {
            protozero::data_view raw = blob.get_view();
            if (has_strings) check_strings(raw.data(), raw.size());
            break;
        }
        case protozero::tag_and_type(Blob::zlib_data, nested): packed = blob.get_view(); break;
        case protozero::tag_and_type(Blob::raw_size, protozero::pbf_wire_type::varint):
            unpacked_size = static_cast<uint32_t>(blob.get_int32());
            break;
        default: blob.skip();
        }
    }
    if (unpacked_size > largest_blob) {
        throw Failure{COSMIUM_DAMAGED, "a blob unpacks to more than the format allows"};
    }
    file.add(unpacked_size);
    if (!has_strings || packed.empty()) return;
    std::vector<Bytef> unpacked(unpacked_size + 1);
    uLongf count = unpacked_size;
    auto source = reinterpret_cast<const Bytef *>(packed.data());
    if (uncompress(unpacked.data(), &count, source, packed.size()) != Z_OK) {
        throw Failure{COSMIUM_DAMAGED, "a blob can't be unpacked"};
    }
    check_strings(reinterpret_cast<const char *>(unpacked.data()), count);
}

/// Goes through the blobs, each of which says how large it is unpacked.
void measure_pbf(const char *path, uint64_t limit) {
    Unpacked file{path, limit};
    std::vector<char> bytes;
    // The first blob has no strings of a map.
    bool has_header = false;
    unsigned char size[4];
    const Failure ends{COSMIUM_DAMAGED, "the PBF file ends too early"};
    while (size_t got = file.read(size, 4)) {
        if (got < 4) throw ends;
        uint32_t header_size = big_endian(size);
        if (header_size > largest_blob_header) {
            throw Failure{COSMIUM_DAMAGED, "a blob header is larger than the format allows"};
        }
        bytes.resize(header_size);
        if (file.read(bytes.data(), header_size) < header_size) throw ends;
        uint32_t blob_size = 0;
        protozero::pbf_message<BlobHeader> header{bytes.data(), bytes.size()};
        while (header.next()) {
            if (header.tag_and_type()
                == protozero::tag_and_type(
                    BlobHeader::datasize, protozero::pbf_wire_type::varint)) {
                blob_size = static_cast<uint32_t>(header.get_int32());
            } else {
                header.skip();
            }
        }
        if (blob_size > largest_blob) {
            throw Failure{COSMIUM_DAMAGED, "a blob is larger than the format allows"};
        }
        bytes.resize(blob_size);
        if (file.read(bytes.data(), blob_size) < blob_size) throw ends;
        measure_blob(file, bytes, has_header);
        has_header = true;
    }
}

}  // namespace

std::string measure(const char *path, const cosmium_limits &limits) {
    struct stat information {};
    if (stat(path, &information) != 0) {
        throw Failure{errno == ENOENT ? COSMIUM_NOT_FOUND : COSMIUM_UNREADABLE, std::strerror(errno)};
    }
    if (!S_ISREG(information.st_mode)) throw Failure{COSMIUM_UNREADABLE, "is not a file"};
    if (static_cast<uint64_t>(information.st_size) > limits.file_bytes) {
        throw Failure{
            COSMIUM_TOO_LARGE, "is larger than " + std::to_string(limits.file_bytes) + " bytes"};
    }
    Unpacked file{path, limits.unpacked_bytes};
    std::vector<char> chunk(chunk_bytes);
    size_t count = file.read(chunk.data(), chunk.size());
    std::string start{chunk.data(), std::min<size_t>(count, 64)};
    // The first blob's header begins with its size, then with field 1, nine bytes long.
    if (start.size() > 15 && start.compare(4, 11, "\x0a\x09OSMHeader") == 0 && !file.is_gzip()) {
        measure_pbf(path, limits.unpacked_bytes);
        return "pbf";
    }
    size_t mark = start.compare(0, 3, "\xef\xbb\xbf") == 0 ? 3 : 0;
    size_t first = start.find_first_not_of(" \t\r\n", mark);
    if (first == std::string::npos || start[first] != '<') {
        throw Failure{COSMIUM_UNKNOWN_FORMAT, "is neither OSM XML, gzipped or not, nor OSM PBF"};
    }
    bool is_gzip = file.is_gzip();
    measure_xml(file, std::move(chunk), count, limits.markup_bytes);
    return is_gzip ? "osm.gz" : "osm";
}

}  // namespace cosmium
