import Events
import Site

/// The tags by which a file of ours names its records, beside those of Simple Indoor Tagging.
///
/// OpenStreetMap has no room on both sides of a door, no building of a floor, and ids that nobody
/// chooses. So an exported thing has its record's id in `ref:whereabouts`, and the things that it
/// hangs on in keys with the prefix `whereabouts`. Other programs keep such tags, and the import
/// reads them back.
enum OwnTags {
    typealias Tags = OpenStreetMapData.Tags

    static let id = "ref:whereabouts"
    /// The floor of a room.
    static let floor = "whereabouts:floor"
    /// The building of a floor.
    static let building = "whereabouts:building"
    /// The places of a connection's stops: `room:ID`, `floor:ID` or `outdoors`, with semicolons.
    static let stops = "whereabouts:stops"
    /// The places of a directory entry: `room:ID`, `building:ID` or `floor:ID`, with semicolons.
    static let places = "whereabouts:places"
    /// The kind, where the other tags would give a different one.
    static let kind = "whereabouts:kind"
    /// Latitude, longitude and bearing of the site's frame, with semicolons.
    static let frame = "whereabouts:frame"

    /// Readers of OpenStreetMap refuse longer values.
    static let longestBytes = 1_000

    /// The id that the thing states; nil for a thing of others.
    static func id(_ tags: Tags) -> String? {
        tags[id].flatMap { isWellFormedIdentifier($0) ? $0 : nil }
    }

    // MARK: Stops

    static func text(_ stops: [ConnectionStop]) -> String {
        stops.map { stop in
            stop.room.map { "room:\($0)" } ?? stop.floor.map { "floor:\($0)" } ?? "outdoors"
        }.joined(separator: ";")
    }

    /// Where a stop is: the room or the floor of this id, or neither for outdoors.
    enum Place: Hashable {
        case room(RoomID)
        case floor(FloorID)
        case outdoors
    }

    /// Nil without the tag, or if it can't be read.
    static func stops(_ tags: Tags) -> [Place]? {
        guard let text = tags[stops] else { return nil }
        var places: [Place] = []
        for part in text.split(separator: ";", omittingEmptySubsequences: false) {
            if part == "outdoors" {
                places.append(.outdoors)
            } else if let id = identifier(part, "room") {
                places.append(.room(RoomID(id)))
            } else if let id = identifier(part, "floor") {
                places.append(.floor(FloorID(id)))
            } else {
                return nil
            }
        }
        return (2...SiteLimits.stopsPerConnection).contains(places.count) ? places : nil
    }

    // MARK: Places of the directory

    /// Nil for a place that the format does not have.
    static func text(_ place: PlaceReference) -> String? {
        switch place {
        case .room(let id): "room:\(id)"
        case .building(let id): "building:\(id)"
        case .floor(let id): "floor:\(id)"
        case .location, .zone: nil
        }
    }

    /// Nil without the tag.
    static func places(_ tags: Tags) -> [PlaceReference]? {
        guard let text = tags[places] else { return nil }
        return text.split(separator: ";").compactMap { part in
            identifier(part, "room").map { .room(RoomID($0)) }
                ?? identifier(part, "building").map { .building(BuildingID($0)) }
                ?? identifier(part, "floor").map { .floor(FloorID($0)) }
        }
    }

    private static func identifier(_ part: Substring, _ word: String) -> String? {
        guard part.hasPrefix(word + ":") else { return nil }
        let id = String(part.dropFirst(word.utf8.count + 1))
        return isWellFormedIdentifier(id) ? id : nil
    }
}
