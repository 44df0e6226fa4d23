import Events
import Site

/// A record of a site that is merged field by field.
protocol MergeableRecord: Hashable {
    /// Such as `room`.
    static var recordKind: String { get }
    static var fields: [MergeField<Self>] { get }
    /// Unique among the records of its kind.
    var key: String { get }
    /// What it names, and can't be without.
    var references: [PlaceKey] { get }
}

/// A record that others name.
enum PlaceKey: Hashable {
    case place(PlaceReference)
    case entry(DirectoryID)
}

extension BuildingRecord: MergeableRecord {
    static var recordKind: String { "building" }
    var key: String { id.text }
    var references: [PlaceKey] { [] }
    static var fields: [MergeField<Self>] {
        [
            MergeField("name", \.name), MergeField("names", languages: \.names),
            MergeField("timeZone", \.timeZone), MergeField("outline", \.outline),
            MergeField("address", \.address),
        ]
    }
}

extension FloorRecord: MergeableRecord {
    static var recordKind: String { "floor" }
    var key: String { id.text }
    var references: [PlaceKey] { [.place(.building(building))] }
    static var fields: [MergeField<Self>] {
        [
            MergeField("place", [MergePart(\.building), MergePart(\.ordinal)]),
            MergeField("level", \.level), MergeField("names", languages: \.names),
            MergeField("heightMetres", \.heightMetres), MergeField("outline", \.outline),
        ]
    }
}

extension FloorPlanRecord: MergeableRecord {
    static var recordKind: String { "floor plan" }
    var key: String { id.text }
    var references: [PlaceKey] { [.place(.floor(floor))] }
    static var fields: [MergeField<Self>] {
        [
            MergeField(
                "image",
                [
                    MergePart(\.floor), MergePart(\.image), MergePart(\.widthPixels),
                    MergePart(\.heightPixels), MergePart(\.alignment),
                ])
        ]
    }
}

extension RoomRecord: MergeableRecord {
    static var recordKind: String { "room" }
    var key: String { id.text }
    var references: [PlaceKey] { [.place(.floor(floor))] }
    static var fields: [MergeField<Self>] {
        [
            MergeField("name", \.name), MergeField("names", languages: \.names),
            MergeField("kind", \.kind), MergeField("floor", \.floor),
            MergeField("outline", [MergePart(\.outline), MergePart(\.holes)]),
            MergeField("accessible", \.accessible), MergeField("restricted", \.isRestricted),
            MergeField("openingHours", \.openingHours),
        ]
    }
}

extension LocationRecord: MergeableRecord {
    static var recordKind: String { "location" }
    var key: String { id.text }
    var references: [PlaceKey] {
        [.place(.floor(floor))] + (room.map { [.place(.room($0))] } ?? [])
    }
    static var fields: [MergeField<Self>] {
        [
            MergeField("name", \.name), MergeField("names", languages: \.names),
            MergeField(
                "place",
                [MergePart(\.floor), MergePart(\.room), MergePart(\.x), MergePart(\.y)]),
        ]
    }
}

extension ConnectionRecord: MergeableRecord {
    static var recordKind: String { "connection" }
    var key: String { id.text }
    var references: [PlaceKey] {
        stops.flatMap { stop in
            (stop.floor.map { [PlaceKey.place(.floor($0))] } ?? [])
                + (stop.room.map { [PlaceKey.place(.room($0))] } ?? [])
        }
    }
    static var fields: [MergeField<Self>] {
        [
            MergeField("kind", \.kind), MergeField("name", \.name),
            MergeField("names", languages: \.names),
            MergeField("stops", [MergePart(\.stops), MergePart(\.line)]),
            MergeField("oneWay", \.isOneWay), MergeField("accessible", \.accessible),
            MergeField("widthMetres", \.widthMetres), MergeField("slope", \.slope),
            MergeField("surface", \.surface), MergeField("kerbMetres", \.kerbMetres),
            MergeField("automatic", \.isAutomatic), MergeField("steps", \.steps),
            MergeField("openingHours", \.openingHours),
        ]
    }
}

extension ZoneRecord: MergeableRecord {
    static var recordKind: String { "zone" }
    var key: String { id.text }
    var references: [PlaceKey] {
        (floor.map { [PlaceKey.place(.floor($0))] } ?? []) + rooms.map { .place(.room($0)) }
    }
    static var fields: [MergeField<Self>] {
        [
            MergeField("name", \.name), MergeField("names", languages: \.names),
            MergeField("kind", \.kind),
            MergeField("place", [MergePart(\.floor), MergePart(\.outline), MergePart(\.rooms)]),
        ]
    }
}

extension SiteBeacon: MergeableRecord {
    static var recordKind: String { "beacon" }
    var key: String { id.text }
    var references: [PlaceKey] { [.place(.floor(floor))] }
    static var fields: [MergeField<Self>] {
        [
            MergeField("name", \.name),
            MergeField("place", [MergePart(\.floor), MergePart(\.x), MergePart(\.y)]),
            MergeField(
                "identity",
                [
                    MergePart(\.uuid), MergePart(\.major), MergePart(\.minor),
                    MergePart(\.address),
                ]),
            MergeField("txPower", \.txPower),
        ]
    }
}

extension ContentRecord: MergeableRecord {
    static var recordKind: String { "content" }
    var key: String { id.text }
    var references: [PlaceKey] { [.place(place)] }
    static var fields: [MergeField<Self>] {
        [
            MergeField("place", \.place), MergeField("title", \.title),
            MergeField("titles", languages: \.titles), MergeField("text", \.text),
            MergeField("texts", languages: \.texts), MergeField("audio", \.audio),
            MergeField("pictures", \.pictures), MergeField("videos", \.videos),
        ]
    }
}

extension DirectoryEntry: MergeableRecord {
    static var recordKind: String { "directory entry" }
    var key: String { id.text }
    var references: [PlaceKey] {
        (parent.map { [PlaceKey.entry($0)] } ?? []) + places.map { .place($0) }
    }
    static var fields: [MergeField<Self>] {
        [
            MergeField("kind", \.kind), MergeField("name", \.name),
            MergeField("names", languages: \.names), MergeField("parent", \.parent),
            MergeField("places", \.places), MergeField("openingHours", \.openingHours),
            MergeField("website", \.website), MergeField("telephone", \.telephone),
        ]
    }
}

extension AccessPointPlace: MergeableRecord {
    static var recordKind: String { "access point" }
    var key: String { String(address.value, radix: 16) }
    var references: [PlaceKey] { [.place(.floor(floor))] }
    static var fields: [MergeField<Self>] {
        [MergeField("place", [MergePart(\.floor), MergePart(\.x), MergePart(\.y)])]
    }
}
