import Geometry
public import Site

/// The map of a site outdoors, ready to be cut into parts.
public struct OutdoorsParts: Sendable {
    /// The number of features.
    public var count: Int { features.count }
    /// The smallest box with all features, in shares of the world's width; nil without any.
    let box: BoundingBox?
    let features: [WorldFeature]

    public init(_ site: SiteIndex) {
        let map = SiteMap(outdoorsOf: site)
        features = map.features.map { WorldFeature($0, map.frame) }
        box = BoundingBox(features.flatMap { [$0.box.minimum, $0.box.maximum] })
    }

    /// The part of a square: lines are cut at its edges, and areas that touch it are complete, so
    /// neighbours may repeat an area. From afar only large things are left.
    public func part(_ tile: MapTile) -> MapPart {
        var part = MapPart(tile)
        let square = tile.box
        let isNear = tile.zoom >= Self.zoomOfAll
        part.add(
            features.lazy.filter {
                $0.box.intersects(square)
                    && (isNear || MapFeature.Layer.fromAfar.contains($0.feature.layer))
            }, within: square)
        return part
    }

    /// Whether the square has nothing of the map.
    public func isEmpty(_ tile: MapTile) -> Bool { !(box?.intersects(tile.box) ?? false) }

    /// From here on a part has entrances, stairs and lifts, too.
    private static let zoomOfAll = 14
}
