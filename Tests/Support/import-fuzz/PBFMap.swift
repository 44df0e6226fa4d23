import SiteExchange

/// Writes maps as PBF ("PBF Format", OpenStreetMap wiki: fileformat.proto and osmformat.proto).
struct PBFMap {
    /// The file's only primitive block.
    let block: [UInt8]

    init(_ map: OpenStreetMapData) {
        var strings = PBFStrings()
        var nodes: [UInt8] = []
        for node in map.nodes {
            let (keys, values) = strings.tags(node.tags)
            let place = [node.latitude, node.longitude].map { degrees -> Int64 in
                guard let degrees, degrees.isFinite, abs(degrees) < 1_000 else { return .max / 400 }
                return Int64(degrees * 10_000_000)
            }
            nodes += field(
                1,
                number(1, zigzag(node.id)) + packed(2, keys) + packed(3, values)
                    + number(8, zigzag(place[0])) + number(9, zigzag(place[1])))
        }
        var ways: [UInt8] = []
        for way in map.ways {
            let (keys, values) = strings.tags(way.tags)
            ways += field(
                3,
                number(1, UInt64(bitPattern: way.id)) + packed(2, keys) + packed(3, values)
                    + packed(8, differences(way.nodes)))
        }
        var relations: [UInt8] = []
        for relation in map.relations {
            let (keys, values) = strings.tags(relation.tags)
            let roles = relation.members.map { strings.index(of: $0.role) }
            let kinds = relation.members.map { member -> UInt64 in
                member.kind == .node ? 0 : member.kind == .way ? 1 : 2
            }
            relations += field(
                4,
                number(1, UInt64(bitPattern: relation.id)) + packed(2, keys) + packed(3, values)
                    + packed(8, roles) + packed(9, differences(relation.members.map(\.id)))
                    + packed(10, kinds))
        }
        let table = strings.all.flatMap { field(1, Array($0.utf8)) }
        block = field(1, table) + [nodes, ways, relations].flatMap { field(2, $0) }
    }

    /// A file with a header and the block.
    static func file(_ block: [UInt8], isPacked: Bool) -> [UInt8] {
        let header = field(4, Array("OsmSchema-V0.6".utf8)) + field(4, Array("DenseNodes".utf8))
        return blob("OSMHeader", header, isPacked: false)
            + blob("OSMData", block, isPacked: isPacked)
    }

    /// - Parameter claimed: the unpacked size that the blob states, if not the true one.
    static func blob(
        _ type: String, _ content: [UInt8], isPacked: Bool, claimed: UInt64? = nil
    ) -> [UInt8] {
        let size = number(2, claimed ?? UInt64(content.count))
        let body = isPacked ? size + field(3, stored(content)) : field(1, content) + size
        let header = field(1, Array(type.utf8)) + number(3, UInt64(body.count))
        let length = UInt32(header.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + header + body
    }

    /// The content in zlib's format, in uncompressed blocks (RFC 1950, RFC 1951 section 3.2.4).
    private static func stored(_ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0x78, 0x01]
        var rest = content[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let count = UInt16(block.count)
            bytes += [rest.isEmpty ? 1 : 0]
            for half in [count, ~count] { bytes += [UInt8(half & 255), UInt8(half >> 8)] }
            bytes += block
        } while !rest.isEmpty
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in content {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        let sum = high << 16 | low
        return bytes + (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * $0)) }
    }
}

/// The block's table of strings. Index 0 ends lists.
private struct PBFStrings {
    private(set) var all = [""]
    private var indices = ["": UInt64(0)]

    mutating func index(of text: String) -> UInt64 {
        if let index = indices[text] { return index }
        all.append(text)
        indices[text] = UInt64(all.count - 1)
        return UInt64(all.count - 1)
    }

    mutating func tags(_ tags: OpenStreetMapData.Tags) -> ([UInt64], [UInt64]) {
        let sorted = tags.sorted { $0.key < $1.key }
        return (sorted.map { index(of: $0.key) }, sorted.map { index(of: $0.value) })
    }
}

private func varint(_ value: UInt64) -> [UInt8] {
    var (value, bytes): (UInt64, [UInt8]) = (value, [])
    while value >= 128 {
        bytes.append(UInt8(value & 127) | 128)
        value >>= 7
    }
    return bytes + [UInt8(value)]
}

private func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: (value << 1) ^ (value >> 63)) }

private func number(_ field: UInt64, _ value: UInt64) -> [UInt8] {
    varint(field << 3) + varint(value)
}

private func field(_ number: UInt64, _ content: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + varint(UInt64(content.count)) + content
}

private func packed(_ number: UInt64, _ values: [UInt64]) -> [UInt8] {
    values.isEmpty ? [] : field(number, values.flatMap(varint))
}

/// The difference of each number from the one before.
private func differences(_ values: [Int64]) -> [UInt64] {
    zip(values, [0] + values).map { zigzag($0 &- $1) }
}
