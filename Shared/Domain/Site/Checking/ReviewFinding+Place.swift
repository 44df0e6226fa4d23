public import Events
public import Geometry

/// The place of a finding, where people look at it on a map.
public struct FindingPlace: Hashable, Sendable {
    /// Nil outdoors.
    public var floor: FloorID?
    /// Metres in the site's frame.
    public var point: Point

    init(_ floor: FloorID?, _ point: Point) { (self.floor, self.point) = (floor, point) }
}

extension SiteReview {
    /// The places of the records that the findings are about, as far as these have one.
    public func places(in document: SiteDocument) -> [SiteThing: FindingPlace] {
        let wanted = Set(findings.compactMap(\.thing))
        var finder = PlaceFinder(document)
        func find<Record: SiteRecord>(_: Record.Type) {
            for record in document[keyPath: Record.records] where wanted.contains(record.thing) {
                finder.places[record.thing] = finder.place(of: record)
            }
        }
        for type in RecordKind.all where wanted.contains(where: { $0.kind == type.kind.name }) {
            find(type)
        }
        return finder.places
    }
}

extension ReviewFinding {
    /// The record that the finding is about; nil where it is about the site.
    public var thing: SiteThing? {
        subjects.first.flatMap { SiteThing(kind: $0.kind, id: $0.id) } ?? faulty
    }
}

extension SiteThing {
    /// Nil for a kind that does not exist, or an id that it can't have.
    init?(kind: String, id: String) {
        guard let thing = RecordKind.named(kind)?.kind.thing(named: id) else { return nil }
        self = thing
    }

    /// The record that a fault names, such as `floor plan p1`; nil for the site.
    init?(subject: String) {
        let kinds = RecordKind.all.map { $0.kind }.filter { subject.hasPrefix($0.title + " ") }
        guard let kind = kinds.max(by: { $0.title.count < $1.title.count }),
            let thing = kind.thing(named: String(subject.dropFirst(kind.title.count + 1)))
        else { return nil }
        self = thing
    }
}

/// Finds a place for a record of any kind.
private struct PlaceFinder {
    let document: SiteDocument
    var places: [SiteThing: FindingPlace] = [:]

    init(_ document: SiteDocument) { self.document = document }

    func place(of record: any SiteRecord) -> FindingPlace? {
        switch record {
        case let room as RoomRecord: return inside(room.outline, room.floor)
        case let location as LocationRecord:
            return FindingPlace(location.floor, location.point)
        case let beacon as SiteBeacon: return FindingPlace(beacon.floor, beacon.point)
        case let scanner as SiteScanner: return FindingPlace(scanner.floor, scanner.point)
        case let place as AccessPointPlace: return FindingPlace(place.floor, place.point)
        case let way as ConnectionRecord:
            return way.stops.first.map { FindingPlace($0.floor, $0.point) }
        case let building as BuildingRecord:
            return inside(building.outline, nil)
                ?? document.floors.first { $0.building == building.id }.flatMap {
                    self.place(of: $0)
                }
        case let floor as FloorRecord:
            return inside(floor.outline, floor.id) ?? firstRoom(on: floor.id)
        case let plan as FloorPlanRecord: return floor(plan.floor)
        case let zone as ZoneRecord:
            return inside(zone.outline, zone.floor) ?? zone.rooms.first.flatMap { named(.room($0)) }
        case let content as ContentRecord: return named(content.place.thing)
        case let entry as DirectoryEntry: return entry.places.first.flatMap { named($0.thing) }
        default: return nil
        }
    }

    private func named(_ thing: SiteThing) -> FindingPlace? {
        document.anyRecord(thing).flatMap { self.place(of: $0) }
    }

    private func floor(_ id: FloorID) -> FindingPlace? { named(.floor(id)) }

    private func firstRoom(on floor: FloorID) -> FindingPlace? {
        document.rooms.lazy.filter { $0.floor == floor }.compactMap { inside($0.outline, floor) }
            .first
    }

    /// A point within the outline.
    private func inside(_ outline: Ring, _ floor: FloorID?) -> FindingPlace? {
        guard let polygon = outline.polygon else {
            return outline.corners.first.map { FindingPlace(floor, $0) }
        }
        let middle = polygon.centroid
        return FindingPlace(floor, polygon.contains(middle) ? middle : polygon.corners[0])
    }
}
