import Geometry

/// A part of a map as a screen draws it, with coordinates in whole units of a square. Lines without
/// names are apart from features that can be tapped.
public struct MapPart: Hashable, Sendable {
    /// A feature with its shape in units.
    public struct Feature: Hashable, Sendable {
        public enum Shape: Hashable, Sendable {
            /// The outline, then the holes. The first corner is not repeated at the end.
            case area([[GridPoint]])
            case line([GridPoint])
            case point(GridPoint)
        }

        public var feature: MapFeature
        public var shape: Shape
        /// The place of an area's name.
        public var label: GridPoint?
    }

    /// The lines of a layer, each of at least two points. However many records follow the same
    /// stretch, it is there once.
    public struct Lines: Hashable, Sendable {
        public var layer: MapFeature.Layer
        public var lines: [[GridPoint]]
    }

    public let tile: MapTile
    /// Paths, corridors, ramps and doors.
    public internal(set) var lines: [Lines] = []
    /// In the order of painting.
    public internal(set) var features: [Feature] = []

    /// Whether there is nothing to draw.
    public var isEmpty: Bool { lines.isEmpty && features.isEmpty }

    init(_ tile: MapTile) { self.tile = tile }

    /// The complete map of a floor without its surroundings.
    public init(wholeFloor map: SiteMap) {
        let shown = map.features.filter { !$0.isSurrounding }.map { WorldFeature($0, map.frame) }
        let corner = shown.map(\.box).reduce(into: BoundingBox?.none) { all, box in
            if all == nil { all = box }
            all?.include(box.minimum)
            all?.include(box.maximum)
        }?.minimum
        self.init(MapTile(finelyAround: corner ?? map.frame.origin.world))
        add(shown, within: nil)
    }

    /// - Parameter box: lines are cut off at its edges; nil for nowhere.
    mutating func add(_ all: some Sequence<WorldFeature>, within box: BoundingBox?) {
        var drawn: [MapFeature.Layer: Set<MapSegment>] = [:]
        for feature in all {
            if MapFeature.Layer.unnamed.contains(feature.feature.layer) {
                guard feature.points.count > 1 else { continue }
                draw(feature, within: box, &drawn[feature.feature.layer, default: []])
            } else if let shape = feature.shape(on: tile) {
                features.append(
                    Feature(
                        feature: feature.feature, shape: shape,
                        label: feature.label.map(tile.gridPoint)))
            }
        }
    }

    private mutating func draw(
        _ feature: WorldFeature, within box: BoundingBox?, _ drawn: inout Set<MapSegment>
    ) {
        let parts = box.map { clipped(feature.points, to: $0) } ?? [feature.points]
        let new = parts.flatMap { undrawn($0.map(tile.gridPoint), drawn: &drawn) }
            .map { simplified($0, tolerance: Self.toleranceUnits) }
        guard !new.isEmpty else { return }
        if let place = lines.firstIndex(where: { $0.layer == feature.feature.layer }) {
            lines[place].lines += new
        } else {
            lines.append(Lines(layer: feature.feature.layer, lines: new))
        }
    }

    /// A line may leave its true course by less than a unit.
    private static let toleranceUnits = 0.75
}

extension MapFeature.Layer {
    /// Layers whose lines nobody taps, and whose names no map shows.
    static let unnamed: Set<Self> = [.path, .corridor, .ramp, .door]
    /// Layers that a map shows from afar.
    static let fromAfar: Set<Self> = [.ground, .building, .path, .zone]
}

/// A feature with its shape in shares of the world's width.
struct WorldFeature: Sendable {
    let feature: MapFeature
    /// One line, the outline and the holes, or one point.
    private let rings: [[Point]]
    let label: Point?
    let box: BoundingBox

    init(_ feature: MapFeature, _ frame: LocalFrame) {
        self.feature = feature
        let shapes: [[Point]] =
            switch feature.shape {
            case .area(let area): area.rings.map(\.corners)
            case .line(let points): [points]
            case .point(let point): [[point]]
            }
        rings = shapes.map { $0.map { frame.geographic($0).world } }
        label = feature.labelPoint.map { frame.geographic($0).world }
        guard let box = BoundingBox(rings[0]) else { preconditionFailure("a shape has points") }
        self.box = box
    }

    /// The line, or the outline.
    var points: [Point] { rings[0] }

    /// The shape in units; nil if nothing of an area is left.
    func shape(on tile: MapTile) -> MapPart.Feature.Shape? {
        switch feature.shape {
        case .point: return .point(tile.gridPoint(points[0]))
        case .line: return .line(points.map(tile.gridPoint))
        case .area:
            let areas = rings.map { Self.ring($0.map(tile.gridPoint)) }
            guard areas[0].count > 2 else { return nil }
            return .area([areas[0]] + areas.dropFirst().filter { $0.count > 2 })
        }
    }

    /// The corners without repetitions.
    private static func ring(_ points: [GridPoint]) -> [GridPoint] {
        var corners: [GridPoint] = []
        for point in points where corners.last != point { corners.append(point) }
        while corners.count > 1, corners.first == corners.last { corners.removeLast() }
        return corners
    }
}
