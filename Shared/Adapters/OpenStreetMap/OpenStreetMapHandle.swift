import COsmium

/// Owns a reader of libosmium. `deinit` frees the reader and its threads.
final class OpenStreetMapHandle {
    private let path: String
    private let limits: OpenStreetMapLimits
    private let reader: OpaquePointer
    private var count = 0

    init(
        _ path: String, _ bytes: [UInt8]?, kinds: OpenStreetMapKinds,
        limits: OpenStreetMapLimits
    ) throws(OpenStreetMapError) {
        guard let reader = cosmium_make() else {
            throw OpenStreetMapError(
                code: .outOfMemory, path: path, detail: "there is no memory left")
        }
        self.path = path
        self.limits = limits
        self.reader = reader
        var sizes = cosmium_limits(
            file_bytes: UInt64(limits.fileBytes), unpacked_bytes: UInt64(limits.unpackedBytes),
            markup_bytes: UInt64(limits.markupBytes))
        let bits = Int32(
            (kinds.contains(.nodes) ? COSMIUM_NODE : 0) | (kinds.contains(.ways) ? COSMIUM_WAY : 0)
                | (kinds.contains(.relations) ? COSMIUM_RELATION : 0))
        let code =
            bytes?.withUnsafeBytes { buffer in
                cosmium_open_bytes(reader, buffer.baseAddress, buffer.count, bits, &sizes)
            } ?? cosmium_open(reader, path, bits, &sizes)
        guard code == Int32(COSMIUM_SUCCESS) else { throw failure(code) }
    }

    deinit { cosmium_free(reader) }

    /// The next entity, nil at the end. Its pointers are valid until the next call.
    func next() throws(OpenStreetMapError) -> cosmium_entity? {
        var entity = cosmium_entity()
        let code = cosmium_next(reader, &entity)
        if code == Int32(COSMIUM_END) { return nil }
        guard code == Int32(COSMIUM_SUCCESS) else { throw failure(code) }
        count += 1
        try check(
            count <= limits.entities, "more than \(limits.entities) nodes, ways and relations")
        try check(
            entity.tag_count <= limits.tagsOfEntity,
            "\(entity.id) has more than \(limits.tagsOfEntity) tags")
        try check(
            entity.member_count <= limits.membersOfEntity,
            "\(entity.id) has more than \(limits.membersOfEntity) nodes or members")
        return entity
    }

    private func check(_ isWithin: Bool, _ detail: String) throws(OpenStreetMapError) {
        guard isWithin else {
            throw OpenStreetMapError(code: .tooLarge, path: path, detail: detail)
        }
    }

    private func failure(_ code: Int32) -> OpenStreetMapError {
        let codes: [Int: OpenStreetMapError.Code] = [
            COSMIUM_NOT_FOUND: .notFound, COSMIUM_UNREADABLE: .unreadable,
            COSMIUM_UNKNOWN_FORMAT: .unknownFormat, COSMIUM_DAMAGED: .damaged,
            COSMIUM_TOO_LARGE: .tooLarge, COSMIUM_NO_MEMORY: .outOfMemory,
        ]
        return OpenStreetMapError(
            code: codes[Int(code)] ?? .damaged, path: path,
            detail: String(cString: cosmium_detail(reader)))
    }
}

extension OpenStreetMapNode {
    init(_ entity: cosmium_entity) {
        let isPlaced = entity.has_location != 0
        self.init(
            id: entity.id, latitude: isPlaced ? entity.latitude : nil,
            longitude: isPlaced ? entity.longitude : nil, tags: entity.readTags())
    }
}

extension OpenStreetMapWay {
    init(_ entity: cosmium_entity) {
        let nodes = UnsafeBufferPointer(start: entity.members, count: entity.member_count)
        self.init(id: entity.id, nodes: Array(nodes), tags: entity.readTags())
    }
}

extension OpenStreetMapRelation {
    init(_ entity: cosmium_entity) {
        let members = (0..<entity.member_count).map { index in
            Member(
                kind: Kind(entity.member_kinds[index]), id: entity.members[index],
                role: entity.member_roles[index].map { String(cString: $0) } ?? "")
        }
        self.init(id: entity.id, members: members, tags: entity.readTags())
    }
}

extension OpenStreetMapRelation.Kind {
    init(_ kind: Int32) {
        switch Int(kind) {
        case COSMIUM_NODE: self = .node
        case COSMIUM_WAY: self = .way
        default: self = .relation
        }
    }
}

extension cosmium_entity {
    /// The entity's tags. Bytes that are not UTF-8 are replaced.
    func readTags() -> OpenStreetMapTags {
        var read: OpenStreetMapTags = [:]
        for index in 0..<tag_count {
            guard let key = tags[2 * index], let value = tags[2 * index + 1] else { continue }
            let name = String(cString: key)
            if read[name] == nil { read[name] = String(cString: value) }
        }
        return read
    }
}
