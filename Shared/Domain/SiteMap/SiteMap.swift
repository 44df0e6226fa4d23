public import Events
public import Geometry
public import Site

/// All features of one floor, or outdoors, ready to be drawn or written.
public struct SiteMap: Sendable {
    /// The name of the site, or of the floor's building.
    public var name: String
    public var names: Translations
    /// The sources that the map must credit; nil for none.
    public var attribution: String?
    /// Nil outdoors.
    public var floor: FloorRecord?
    public var frame: LocalFrame
    /// Sorted by layer. Areas are sorted from the largest down, so that areas within others come
    /// later.
    public var features: [MapFeature]

    /// The map of a floor; nil if the site has no floor with this id.
    ///
    /// A floor with a door to the outside also shows its surroundings: streets, paths and other
    /// buildings.
    public init?(of site: SiteIndex, floor id: FloorID) {
        guard let floor = site.floor(id) else { return nil }
        let building = site.building(floor.building)
        name = building?.name ?? site.document.name
        names = building?.names ?? site.document.names
        attribution = site.document.attribution
        self.floor = floor
        frame = site.frame
        let parts = FloorParts(site, floor)
        features = SiteMap.inOrder(parts.features)
        if parts.hasWayOut { features = SiteMap.inOrder(features + surroundings(in: site)) }
    }

    /// The map outdoors: ground, buildings, streets and paths, entrances.
    public init(outdoorsOf site: SiteIndex) {
        name = site.document.name
        names = site.document.names
        attribution = site.document.attribution
        frame = site.frame
        let parts = OutdoorParts(site)
        features = SiteMap.inOrder(parts.all + parts.entrances)
    }

    /// The metres to be drawn. A floor's map is limited to the floor, so streets that lead away are
    /// cut off.
    public func bounds() -> BoundingBox? {
        let isFloor = floor != nil
        let own = features.filter { !isFloor || !$0.isSurrounding }
        return BoundingBox(own.flatMap(\.points)) ?? BoundingBox(features.flatMap(\.points))
    }

    /// Metres around a floor within which its surroundings are shown.
    static let surroundingMetres = 30.0

    private func surroundings(in site: SiteIndex) -> [MapFeature] {
        guard let bounds = bounds() else { return [] }
        var near = bounds
        let margin = Self.surroundingMetres
        near.include(Point(x: bounds.minimum.x - margin, y: bounds.minimum.y - margin))
        near.include(Point(x: bounds.maximum.x + margin, y: bounds.maximum.y + margin))
        let own = floor?.building.text
        return OutdoorParts(site, near: near).all.filter {
            !($0.layer == .building && $0.id == own)
        }
    }

    private static func inOrder(_ features: [MapFeature]) -> [MapFeature] {
        let ranks = Dictionary(
            uniqueKeysWithValues: MapFeature.Layer.allCases.enumerated().map { ($1, $0) })
        let keyed = features.enumerated().map { place, feature in
            (rank: ranks[feature.layer, default: 0], area: -feature.area, place: place)
        }
        return keyed.sorted { ($0.rank, $0.area, $0.place) < ($1.rank, $1.area, $1.place) }
            .map { features[$0.place] }
    }
}

extension MapFeature {
    var points: [Point] {
        switch shape {
        case .area(let area): area.outline.corners
        case .line(let points): points
        case .point(let point): [point]
        }
    }

    var area: Double {
        if case .area(let shape) = shape { shape.area } else { 0 }
    }

    /// Whether the feature belongs to the surroundings of a floor.
    var isSurrounding: Bool { floors.isEmpty && layer != .floor }
}
