import Events
import Geometry

/// A drawing in the text form of DXF: its layers, with lines and texts, in units of its own.
///
/// It reads `LINE`, `LWPOLYLINE`, `POLYLINE`, `ARC`, `CIRCLE`, `TEXT`, `MTEXT`, and `INSERT` with
/// blocks and attributes. Everything else is counted and left out.
public struct DrawingFile: Sendable {
    /// The most lines, texts and blocks, with those within blocks as often as they are drawn.
    static let mostParts = 200_000
    /// The most corners of all lines.
    private static let mostCorners = 2_000_000
    private static let deepestBlocks = 16

    /// The unit that the file states; nil if it states none that buildings are drawn in.
    public private(set) var unit: DrawingUnit?
    private(set) var shapes: [DrawingShape] = []
    /// The layers that are switched off or frozen.
    private(set) var hiddenLayers: Set<String> = []
    /// The entities that were left out, by their kind.
    private(set) var leftOut: [String: Int] = [:]
    private var corners = 0

    /// - Throws: the reason why the file is no drawing that can be read.
    public init(_ bytes: [UInt8]) throws(ImportRefusal) {
        var parser = try DrawingParser(bytes)
        try parser.read()
        unit = parser.unit
        hiddenLayers = parser.hiddenLayers
        leftOut = parser.leftOut
        var parts = 0
        try add(parser.model, parser.blocks, DrawingTransform(), on: nil, depth: 0, &parts)
    }

    private mutating func add(
        _ block: DrawingBlock, _ blocks: [String: DrawingBlock], _ transform: DrawingTransform,
        on layer: String?, depth: Int, _ parts: inout Int
    ) throws(ImportRefusal) {
        guard depth <= Self.deepestBlocks else {
            throw ImportRefusal(
                .malformed, "its blocks are nested over \(Self.deepestBlocks) deep")
        }
        // Parts of a block on layer 0 are on the layer of the block.
        func own(_ name: String) -> String { name == "0" ? layer ?? name : name }
        for shape in block.shapes {
            try count(&parts)
            var placed = shape
            placed.layer = own(shape.layer)
            switch shape.content {
            case .line(let points, let isClosed):
                corners += points.count
                placed.content = .line(points.map { transform($0) }, isClosed: isClosed)
            case .text(let text, let point): placed.content = .text(text, at: transform(point))
            }
            guard corners <= Self.mostCorners else {
                throw ImportRefusal(.tooLarge, "it has over \(Self.mostCorners) corners")
            }
            shapes.append(placed)
        }
        for insert in block.inserts {
            guard let inner = blocks[insert.block] else { continue }
            for step in insert.transforms {
                try count(&parts)
                try add(
                    inner, blocks, transform.after(step), on: own(insert.layer), depth: depth + 1,
                    &parts)
            }
        }
    }

    private func count(_ parts: inout Int) throws(ImportRefusal) {
        parts += 1
        guard parts <= Self.mostParts else {
            throw ImportRefusal(.tooLarge, "it has over \(Self.mostParts) lines, texts and blocks")
        }
    }

    /// A layer with what is on it.
    public struct Layer: Hashable, Sendable {
        public var name: String
        public var isShown: Bool
        /// The number of closed lines, each of which may be a room.
        public var outlines = 0
        public var lines = 0
        public var texts = 0
    }

    /// The layers with something on them, sorted by name.
    public var layers: [Layer] {
        var layers: [String: Layer] = [:]
        for shape in shapes {
            let isShown = !hiddenLayers.contains(shape.layer)
            var layer = layers[shape.layer] ?? Layer(name: shape.layer, isShown: isShown)
            switch shape.content {
            case .line(_, isClosed: true): layer.outlines += 1
            case .line: layer.lines += 1
            case .text: layer.texts += 1
            }
            layers[shape.layer] = layer
        }
        return layers.values.sorted { $0.name < $1.name }
    }
}

/// The drawing itself, or a block of it.
struct DrawingBlock {
    var base: Point = [0, 0]
    var shapes: [DrawingShape] = []
    var inserts: [DrawingInsert] = []
}
