#include "COsmium.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <new>
#include <osmium/io/gzip_compression.hpp>
#include <osmium/io/pbf_input.hpp>
#include <osmium/io/reader.hpp>
#include <osmium/io/xml_input.hpp>
#include <osmium/osm/node.hpp>
#include <osmium/osm/relation.hpp>
#include <osmium/osm/way.hpp>
#include <osmium/thread/pool.hpp>
#include <protozero/exception.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "Measure.h"

struct cosmium_reader {
    // Declared before the reader, which uses it until it is gone.
    std::unique_ptr<osmium::thread::Pool> pool;
    std::unique_ptr<osmium::io::Reader> reader;
    osmium::memory::Buffer buffer;
    osmium::memory::Buffer::t_iterator<osmium::OSMEntity> next;
    bool has_buffer = false;
    std::vector<const char *> tags;
    std::vector<int64_t> members;
    std::vector<int> member_kinds;
    std::vector<const char *> member_roles;
    std::string detail;

    bool advance() {
        while (!has_buffer || next == buffer.end<osmium::OSMEntity>()) {
            buffer = reader->read();
            if (!buffer) return false;
            has_buffer = true;
            next = buffer.begin<osmium::OSMEntity>();
        }
        return true;
    }

    void take_tags(const osmium::OSMObject &object) {
        for (const auto &tag : object.tags()) {
            tags.push_back(tag.key());
            tags.push_back(tag.value());
        }
    }

    void take_node(const osmium::Node &node, cosmium_entity *entity) {
        entity->kind = COSMIUM_NODE;
        entity->has_location = node.location().is_defined();
        if (!entity->has_location) return;
        entity->latitude = node.location().lat_without_check();
        entity->longitude = node.location().lon_without_check();
    }

    void take_way(const osmium::Way &way, cosmium_entity *entity) {
        entity->kind = COSMIUM_WAY;
        for (const auto &node : way.nodes()) members.push_back(node.ref());
    }

    void take_relation(const osmium::Relation &relation, cosmium_entity *entity) {
        entity->kind = COSMIUM_RELATION;
        for (const auto &member : relation.members()) {
            members.push_back(member.ref());
            member_roles.push_back(member.role());
            member_kinds.push_back(
                member.type() == osmium::item_type::node  ? COSMIUM_NODE
                : member.type() == osmium::item_type::way ? COSMIUM_WAY
                                                          : COSMIUM_RELATION);
        }
    }

    /// False when it is none of the three.
    bool take(const osmium::OSMEntity &item, cosmium_entity *entity) {
        *entity = cosmium_entity{};
        tags.clear();
        members.clear();
        member_kinds.clear();
        member_roles.clear();
        switch (item.type()) {
        case osmium::item_type::node: take_node(static_cast<const osmium::Node &>(item), entity); break;
        case osmium::item_type::way: take_way(static_cast<const osmium::Way &>(item), entity); break;
        case osmium::item_type::relation:
            take_relation(static_cast<const osmium::Relation &>(item), entity);
            break;
        default: return false;
        }
        const auto &object = static_cast<const osmium::OSMObject &>(item);
        take_tags(object);
        entity->id = object.id();
        entity->tag_count = tags.size() / 2;
        entity->tags = tags.data();
        entity->member_count = members.size();
        entity->members = members.data();
        entity->member_kinds = member_kinds.data();
        entity->member_roles = member_roles.data();
        return true;
    }
};

namespace {

/// Runs the body; no exception leaves it.
template <typename Body>
int guarded(cosmium_reader *reader, Body body) noexcept {
    auto failed = [reader](int code, const char *text) {
        try {
            reader->detail = text;
        } catch (...) {
            return static_cast<int>(COSMIUM_NO_MEMORY);
        }
        return code;
    };
    try {
        return body();
    } catch (const cosmium::Failure &failure) {
        return failed(failure.code, failure.detail.c_str());
    } catch (const std::bad_alloc &) {
        return failed(COSMIUM_NO_MEMORY, "there is no memory left");
    } catch (const std::length_error &error) {
        return failed(COSMIUM_TOO_LARGE, error.what());
    } catch (const std::system_error &error) {
        return failed(COSMIUM_UNREADABLE, error.what());
    } catch (const std::exception &error) {
        return failed(COSMIUM_DAMAGED, error.what());
    } catch (...) {
        return failed(COSMIUM_DAMAGED, "cannot be read");
    }
}

}  // namespace

extern "C" cosmium_reader *cosmium_make(void) { return new (std::nothrow) cosmium_reader; }

extern "C" void cosmium_free(cosmium_reader *reader) { delete reader; }

namespace {

int open_file(
    cosmium_reader *reader, const char *path, int kinds, const cosmium_limits *limits) {
    std::string format = cosmium::measure(path, *limits);
    auto wanted = osmium::osm_entity_bits::nothing;
    if (kinds & COSMIUM_NODE) wanted |= osmium::osm_entity_bits::node;
    if (kinds & COSMIUM_WAY) wanted |= osmium::osm_entity_bits::way;
    if (kinds & COSMIUM_RELATION) wanted |= osmium::osm_entity_bits::relation;
    reader->pool = std::make_unique<osmium::thread::Pool>(1, 16);
    reader->reader = std::make_unique<osmium::io::Reader>(
        osmium::io::File{path, format}, wanted, *reader->pool);
    if (reader->reader->header().has_multiple_object_versions()) {
        throw cosmium::Failure{
            COSMIUM_UNKNOWN_FORMAT, "is a file of changes or with history, not of a map"};
    }
    return static_cast<int>(COSMIUM_SUCCESS);
}

/// A file in memory, which has a path as long as it is open.
class MemoryFile {
public:
    MemoryFile(const void *bytes, size_t count)
        : descriptor(memfd_create("osm", MFD_CLOEXEC)) {
        if (descriptor < 0) throw std::system_error{errno, std::generic_category()};
        auto next = static_cast<const char *>(bytes);
        while (count > 0) {
            ssize_t written = write(descriptor, next, count);
            if (written < 0) {
                if (errno == EINTR) continue;
                int code = errno;
                close(descriptor);
                throw std::system_error{code, std::generic_category()};
            }
            next += written;
            count -= static_cast<size_t>(written);
        }
    }

    ~MemoryFile() { close(descriptor); }
    MemoryFile(const MemoryFile &) = delete;
    MemoryFile &operator=(const MemoryFile &) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor); }

private:
    int descriptor;
};

}  // namespace

extern "C" int cosmium_open(
    cosmium_reader *reader, const char *path, int kinds, const cosmium_limits *limits) {
    return guarded(reader, [=] { return open_file(reader, path, kinds, limits); });
}

extern "C" int cosmium_open_bytes(
    cosmium_reader *reader, const void *bytes, size_t count, int kinds,
    const cosmium_limits *limits) {
    return guarded(reader, [=] {
        // The reader opens the path anew, so the file may be closed afterwards.
        MemoryFile file{bytes, count};
        return open_file(reader, file.path().c_str(), kinds, limits);
    });
}

extern "C" int cosmium_next(cosmium_reader *reader, cosmium_entity *entity) {
    return guarded(reader, [=] {
        while (reader->advance()) {
            const osmium::OSMEntity &item = *reader->next;
            ++reader->next;
            if (reader->take(item, entity)) return static_cast<int>(COSMIUM_SUCCESS);
        }
        return static_cast<int>(COSMIUM_END);
    });
}

extern "C" const char *cosmium_detail(const cosmium_reader *reader) {
    return reader->detail.c_str();
}
