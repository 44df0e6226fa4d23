import Events
import Geometry
import JSON
import Site

/// A record that an import adds, changes or removes, with its shape for the map.
struct ImportedChange {
    enum State: String { case added, changed, removed }

    var state: State
    var thing: SiteThing
    /// The members that differ.
    var fields: [String] = []
    var name = ""
    var floors: [FloorID] = []
    var outline: [Point] = []
    var points: [Point] = []

    /// Added ones first, then changed and removed ones.
    static func all(
        of comparison: SiteComparison, _ before: SiteDocument, _ after: SiteDocument
    ) -> [ImportedChange] {
        var changes =
            comparison.added.map { ImportedChange(state: .added, thing: $0) }
            + comparison.changed.map {
                ImportedChange(state: .changed, thing: $0.thing, fields: $0.fields)
            } + comparison.removed.map { ImportedChange(state: .removed, thing: $0) }
        var places: [SiteThing: Int] = [:]
        for (index, change) in changes.enumerated() { places[change.thing] = index }
        func add<Record: SiteRecord>(_: Record.Type, _ document: SiteDocument, isRemoved: Bool) {
            for record in document[keyPath: Record.records] {
                guard let index = places[record.thing],
                    (changes[index].state == .removed) == isRemoved
                else { continue }
                changes[index].describe(record)
            }
        }
        for type in RecordKind.all {
            add(type, after, isRemoved: false)
            add(type, before, isRemoved: true)
        }
        return changes
    }

    private mutating func describe(_ record: any SiteRecord) {
        name = record.allNames.first { !$0.isEmpty } ?? ""
        switch record {
        case let room as RoomRecord:
            floors = [room.floor]
            outline = room.outline.corners
        case let floor as FloorRecord:
            floors = [floor.id]
            outline = floor.outline.corners
        case let building as BuildingRecord: outline = building.outline.corners
        case let way as ConnectionRecord:
            for floor in way.stops.compactMap(\.floor) where !floors.contains(floor) {
                floors.append(floor)
            }
            points = way.stops.first.map { [$0.point] } ?? []
            if way.stops.count == 2, let last = way.stops.last {
                points += way.line
                if last.point != points.last { points.append(last.point) }
            }
        case let location as LocationRecord:
            floors = [location.floor]
            points = [location.point]
        case let beacon as SiteBeacon:
            floors = [beacon.floor]
            points = [beacon.point]
        case let scanner as SiteScanner:
            floors = [scanner.floor]
            points = [scanner.point]
        case let place as AccessPointPlace:
            floors = [place.floor]
            points = [place.point]
        default: break
        }
    }

    func write(in frame: LocalFrame, hasShape: Bool, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("state", state.rawValue)
        writer.field("kind", thing.kind)
        writer.field("id", thing.id)
        writer.field("name", name)
        writer.array("fields", fields)
        writer.array("floors", floors.map(\.text))
        write(hasShape ? outline : [], "outline", in: frame, to: &writer)
        write(hasShape ? points : [], "points", in: frame, to: &writer)
        writer.endObject()
    }

    private func write(
        _ points: [Point], _ name: StaticString, in frame: LocalFrame, to writer: inout JSONWriter
    ) {
        writer.array(name, points) { point, writer in
            let degrees = frame.geographic(point)
            writer.beginObject()
            writer.field("latitude", degrees.latitude, decimals: 7)
            writer.field("longitude", degrees.longitude, decimals: 7)
            writer.endObject()
        }
    }
}
