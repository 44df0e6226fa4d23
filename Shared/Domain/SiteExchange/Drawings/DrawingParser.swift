import Events
import Geometry

/// Reads the sections of a DXF file.
struct DrawingParser {
    private static let mostPairsOfEntity = 100_000
    private static let mostBlocks = 20_000

    private(set) var unit: DrawingUnit?
    private(set) var model = DrawingBlock()
    private(set) var blocks: [String: DrawingBlock] = [:]
    private(set) var hiddenLayers: Set<String> = []
    private(set) var leftOut: [String: Int] = [:]
    private var pairs: DrawingPairs
    private var text = DrawingText()
    /// The base points of blocks, which a block may be used before.
    private var inserts: [(block: String?, entity: DrawingEntity)] = []
    private var parts = 0
    /// The blocks that are placed, each in its rows and columns.
    private var placed = 0

    init(_ bytes: [UInt8]) throws(ImportRefusal) { pairs = try DrawingPairs(bytes) }

    mutating func read() throws(ImportRefusal) {
        var hasSection = false
        while let pair = try pairs.next() {
            guard pair.code == 0 else { continue }
            if pair.word == "EOF" { break }
            guard pair.word == "SECTION", let name = try pairs.next(), name.code == 2 else {
                continue
            }
            hasSection = true
            switch name.word {
            case "HEADER": try readHeader()
            case "TABLES": try readLayers()
            case "BLOCKS": try readBlocks()
            case "ENTITIES": try readEntities()
            default: break
            }
        }
        guard hasSection else {
            throw ImportRefusal(.malformed, "the file has no section of a DXF")
        }
        for (block, entity) in inserts { try place(entity, in: block) }
    }

    private mutating func readHeader() throws(ImportRefusal) {
        var name = ""
        while let pair = try pairs.next(), pair.code != 0 {
            if pair.code == 9 {
                name = pair.word
            } else if name == "$INSUNITS", pair.code == 70 {
                unit = pair.integer.flatMap(DrawingUnit.init(code:))
            } else if name == "$ACADVER", pair.code == 1 {
                // Texts are in UTF-8 from 2007 on.
                text.isWestern = pair.word < "AC1021"
            }
        }
    }

    private mutating func readLayers() throws(ImportRefusal) {
        try forEachEntity { (entity, parser) throws(ImportRefusal) in
            guard entity.kind == "LAYER" else { return }
            let isFrozen = (entity.integer(70) ?? 0) & 1 == 1
            if isFrozen || entity.integer(62) ?? 0 < 0 {
                parser.hiddenLayers.insert(parser.text.plain(entity.bytes(2)))
            }
        }
    }

    private mutating func readBlocks() throws(ImportRefusal) {
        var name: String?
        var collecting = Collecting()
        try forEachEntity { (entity, parser) throws(ImportRefusal) in
            switch entity.kind {
            case "BLOCK":
                let id = parser.text.plain(entity.bytes(2))
                guard parser.blocks.count < Self.mostBlocks else {
                    throw ImportRefusal(.tooLarge, "it has over \(Self.mostBlocks) blocks")
                }
                parser.blocks[id] = DrawingBlock(base: entity.point(10, 20) ?? [0, 0])
                name = id
            case "ENDBLK":
                parser.finish(&collecting, in: name)
                name = nil
            default:
                if let name { try parser.add(entity, in: name, &collecting) }
            }
        }
    }

    private mutating func readEntities() throws(ImportRefusal) {
        var collecting = Collecting()
        try forEachEntity { (entity, parser) throws(ImportRefusal) in
            try parser.add(entity, in: nil, &collecting)
        }
        finish(&collecting, in: nil)
    }

    /// Calls the body with each entity up to the end of the section.
    private mutating func forEachEntity(
        _ body: (DrawingEntity, inout DrawingParser) throws(ImportRefusal) -> Void
    ) throws(ImportRefusal) {
        var entity: DrawingEntity?
        while let pair = try pairs.next() {
            guard pair.code == 0 else {
                guard entity?.pairs.count ?? 0 < Self.mostPairsOfEntity else {
                    throw ImportRefusal(
                        .tooLarge, "line \(pairs.line): an entity has too many pairs of lines")
                }
                entity?.pairs.append(pair)
                continue
            }
            if let entity { try body(entity, &self) }
            if pair.word == "ENDSEC" || pair.word == "EOF" { return }
            entity = DrawingEntity(kind: pair.word)
        }
        throw ImportRefusal(.malformed, "the DXF ends within a section: it is not complete")
    }

    // MARK: Entities

    /// A `POLYLINE` whose vertices follow.
    private struct Collecting {
        var polyline: DrawingEntity?
        var vertices: [DrawingEntity.Vertex] = []
    }

    private mutating func add(
        _ entity: DrawingEntity, in block: String?, _ collecting: inout Collecting
    ) throws(ImportRefusal) {
        parts += 1
        guard parts <= 2 * DrawingFile.mostParts else {
            throw ImportRefusal(.tooLarge, "it has over \(2 * DrawingFile.mostParts) entities")
        }
        guard !entity.isOnSheet else { return }
        switch entity.kind {
        case "POLYLINE":
            finish(&collecting, in: block)
            collecting.polyline = entity
        case "VERTEX":
            guard collecting.polyline != nil, let point = entity.point(10, 20) else { return }
            // A vertex that only shapes a curve is not on it.
            if (entity.integer(70) ?? 0) & 16 == 0 {
                collecting.vertices.append((point, entity.number(42) ?? 0))
            }
        case "SEQEND": finish(&collecting, in: block)
        case "INSERT":
            finish(&collecting, in: block)
            inserts.append((block, entity))
        default:
            finish(&collecting, in: block)
            if let content = entity.line ?? entity.text(text) {
                append(content, layer(of: entity), in: block)
            } else {
                leftOut[shown(entity.kind), default: 0] += 1
            }
        }
    }

    private mutating func finish(_ collecting: inout Collecting, in block: String?) {
        defer { collecting = Collecting() }
        guard let polyline = collecting.polyline else { return }
        let flags = polyline.integer(70) ?? 0
        // Meshes are no outlines.
        guard flags & (16 | 64) == 0,
            let content = polyline.polyline(collecting.vertices, isClosed: flags & 1 == 1)
        else {
            leftOut["POLYLINE", default: 0] += 1
            return
        }
        append(content, layer(of: polyline), in: block)
    }

    private mutating func append(
        _ content: DrawingShape.Content, _ layer: String, in block: String?
    ) {
        if case .text("", _) = content { return }
        let shape = DrawingShape(content: content, layer: layer)
        if let block { blocks[block]?.shapes.append(shape) } else { model.shapes.append(shape) }
    }

    private mutating func place(
        _ entity: DrawingEntity, in block: String?
    ) throws(ImportRefusal) {
        let name = text.plain(entity.bytes(2))
        guard let base = blocks[name]?.base else { return }
        let insert = DrawingInsert(
            block: name, layer: layer(of: entity), transforms: entity.transforms(base: base))
        placed += insert.transforms.count
        guard placed <= DrawingFile.mostParts else {
            throw ImportRefusal(.tooLarge, "it has over \(DrawingFile.mostParts) blocks")
        }
        if let block { blocks[block]?.inserts.append(insert) } else { model.inserts.append(insert) }
    }

    private func layer(of entity: DrawingEntity) -> String {
        let name = text.plain(entity.bytes(8))
        return name.isEmpty ? "0" : name
    }
}
