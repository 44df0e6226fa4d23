import Events
import Geometry
import Site

/// The site as a whole, as a file of ours states it: frame, name, floors, and buildings without an
/// outline. All of it is in relations. Empty for a file of others.
struct OwnSite {
    /// The site's relation; nil in a file of others.
    private(set) var facts: TagFacts?
    private(set) var floors: [FloorID: FloorRecord] = [:]
    /// Buildings that have no outline.
    private(set) var buildings: [BuildingRecord] = []

    /// - Parameter timeZone: that of buildings which do not state theirs.
    init(_ data: OpenStreetMapData, timeZone: String) {
        var seen: Set<String> = []
        var ways: [Int64: OpenStreetMapData.Way] = [:]
        let hasOwn = data.relations.contains { OwnTags.id($0.tags) != nil }
        if hasOwn { for way in data.ways where ways[way.id] == nil { ways[way.id] = way } }
        for relation in data.relations {
            let facts = TagFacts(relation.tags)
            if relation.tags["type"] == "site", relation.tags[OwnTags.frame] != nil {
                self.facts = self.facts ?? facts
            }
            guard let id = OwnTags.id(relation.tags), let kind = relation.tags["type"],
                seen.insert("\(kind) \(id)").inserted
            else { continue }
            if kind == "level" {
                add(FloorID(id), facts)
            } else if kind == "building" {
                buildings.append(Self.building(BuildingID(id), facts, timeZone: timeZone))
            }
        }
    }

    private mutating func add(_ id: FloorID, _ facts: TagFacts) {
        guard let building = facts.tags[OwnTags.building], isWellFormedIdentifier(building),
            let level = facts.tags["level"].flatMap(MapLevels.read)?.first, level.isWhole
        else { return }
        floors[id] = FloorRecord(
            id: id, building: BuildingID(building), ordinal: level.hundredths / 100,
            level: facts.text("name") ?? level.text, names: facts.names)
    }

    /// A building with the facts of its tags, without an outline.
    static func building(
        _ id: BuildingID, _ facts: TagFacts, timeZone: String
    ) -> BuildingRecord {
        BuildingRecord(
            id: id, name: facts.name ?? id.text, names: facts.names,
            timeZone: facts.text("timezone") ?? timeZone, address: facts.text("addr:full"))
    }

    /// Whether the file is an export of a site.
    var isStated: Bool { facts != nil }

    /// The frame of the exported site; nil if the file has none that can be used.
    var frame: LocalFrame? {
        let numbers = facts?.tags[OwnTags.frame]?.split(separator: ";").map { Double($0) } ?? []
        guard numbers.count == 3, let latitude = numbers[0], let longitude = numbers[1],
            let bearing = numbers[2], abs(latitude) <= SiteLimits.latitudeDegrees,
            abs(longitude) <= 180, bearing.isFinite, abs(bearing) <= 360
        else { return nil }
        return LocalFrame(
            originLatitude: latitude, originLongitude: longitude, bearingDegrees: bearing)
    }
}
