import Events
import Geometry
import Site

/// The floors of a site and their buildings.
///
/// Each building whose outline contains rooms has a floor for each of their levels. All other
/// levels are floors of a building that stands for no building.
struct MapFloors {
    /// The building of everything outside all outlines.
    static let siteBuilding = SiteDocument.openBuilding

    private struct Storey: Hashable {
        let building: BuildingID
        let level: MapLevel
    }

    private let outlines: PolygonGrid
    private let buildings: [MapArea]
    private let areas: [Double]
    /// The levels of each building that something is on.
    private var storeys: Set<Storey> = []
    /// The floors that a file of ours states.
    private var stated: [Storey: FloorRecord] = [:]
    /// The only building of a file of ours, if it has no outline: all floors are in it.
    private let onlyBuilding: BuildingID?

    /// - Parameter buildings: buildings with a valid outline.
    init(_ buildings: [(area: MapArea, outline: Polygon)], own: OwnSite) {
        self.buildings = buildings.map(\.area)
        outlines = PolygonGrid(buildings.map(\.outline))
        areas = buildings.map(\.outline.area)
        onlyBuilding =
            buildings.isEmpty && own.buildings.count == 1 ? own.buildings.first?.id : nil
        for floor in own.floors.values {
            let storey = Storey(
                building: floor.building, level: MapLevel(whole: floor.ordinal))
            if let other = stated[storey], other.id < floor.id { continue }
            stated[storey] = floor
            storeys.insert(storey)
        }
    }

    /// The smallest building that contains the point.
    func building(at point: Point) -> BuildingID? {
        var found: Int?
        outlines.forEachPolygon(containing: point) { index in
            if let best = found, (areas[best], best) <= (areas[index], index) { return }
            found = index
        }
        return found.map { BuildingID(buildings[$0].id) } ?? onlyBuilding
    }

    /// Adds a floor to the building around a room that is tagged as a room.
    mutating func addStorey(_ level: MapLevel, at point: Point) {
        guard let building = building(at: point) else { return }
        storeys.insert(Storey(building: building, level: level))
    }

    /// The floor of a level at a point. It is added if it is not there yet.
    mutating func floor(_ level: MapLevel, at point: Point) -> FloorID {
        let building = building(at: point) ?? Self.siteBuilding
        let storey = Storey(building: building, level: level)
        if building != Self.siteBuilding, storeys.contains(storey) { return id(storey) }
        let own = Storey(building: Self.siteBuilding, level: level)
        storeys.insert(own)
        return id(own)
    }

    /// The floor of a level at a point; nil if nothing is on it.
    func knownFloor(_ level: MapLevel, at point: Point) -> FloorID? {
        for building in [building(at: point), Self.siteBuilding].compactMap({ $0 }) {
            let storey = Storey(building: building, level: level)
            if storeys.contains(storey) { return id(storey) }
        }
        return nil
    }

    private func id(_ storey: Storey) -> FloorID {
        if let floor = stated[storey] { return floor.id }
        let level = "l\(storey.level.text)"
        return FloorID(
            storey.building == Self.siteBuilding ? level : "\(storey.building)-\(level)")
    }

    var hasSiteBuilding: Bool { storeys.contains { $0.building == Self.siteBuilding } }
    var levels: [MapLevel] { Set(storeys.map(\.level)).sorted() }

    /// If all levels are whole numbers, they are the ordinals, so that a further floor moves no
    /// other. If there are half levels, floors are numbered from the ground.
    func records(named names: [MapLevel: String]) -> [FloorRecord] {
        let levels = levels
        let ground = levels.firstIndex { $0 >= .ground } ?? levels.count
        let hasGround = levels.contains(.ground)
        var ordinals: [MapLevel: Int] = [:]
        for (index, level) in levels.enumerated() {
            let above = index >= ground && !hasGround ? 1 : 0
            ordinals[level] =
                levels.allSatisfy(\.isWhole) ? level.hundredths / 100 : index - ground + above
        }
        return storeys.sorted {
            ($0.building, $0.level) < ($1.building, $1.level)
        }.map { storey in
            if let floor = stated[storey] { return floor }
            return FloorRecord(
                id: id(storey), building: storey.building, ordinal: ordinals[storey.level] ?? 0,
                level: names[storey.level] ?? storey.level.text)
        }
    }
}
