public import Events
public import HTTP
import Positioning
public import Site
import Wire

/// A record of a site that the filter of a list names, such as `?floor=`.
///
/// A filter of a record that the site lacks is a slip, and so it is refused. The answer would be
/// empty, and nobody could tell it from that of a quiet floor. Filters by text, and by what is
/// stored rather than drawn (devices, authors, senders, groups), only leave nothing.
public enum NamedRecord: Hashable, Sendable {
    case building(BuildingID)
    case floor(FloorID)
    case room(RoomID)
    case location(LocationID)
    case connection(ConnectionID)
    /// One of the site's own zones, a room, or a building.
    case zone(ZoneID)

    /// - Throws: a `Problem` with the status 404 where the document lacks the record.
    public func check(in document: SiteDocument) throws(Problem) {
        guard isIn(document) else { throw problem }
    }

    func isIn(_ document: SiteDocument) -> Bool {
        switch self {
        case .building(let id): document.buildings.contains { $0.id == id }
        case .floor(let id): id == .outdoors || document.floors.contains { $0.id == id }
        case .room(let id): document.rooms.contains { $0.id == id }
        case .location(let id): document.locations.contains { $0.id == id }
        case .connection(let id): document.connections.contains { $0.id == id }
        case .zone(let id):
            document.zones.contains { $0.id == id }
                || Self.room(RoomID(id.text)).isIn(document)
                || Self.building(BuildingID(id.text)).isIn(document)
        }
    }

    public var problem: Problem {
        switch self {
        case .building: Problem(.buildingUnknown, "The site has no such building.")
        case .floor: Problem(other: .floorUnknown, "The site has no such floor.")
        case .room: Problem(other: .roomUnknown, "The site has no such room.")
        case .location: Problem(other: .locationUnknown, "The site has no such location.")
        case .connection: Problem(other: .connectionUnknown, "The site has no such connection.")
        case .zone:
            Problem(.zoneUnknown, "The site has no zone, room or building of this id.")
        }
    }
}

extension SiteDirectory {
    /// Refuses a filter of a record that the site lacks where the answer would be empty. Rows of a
    /// removed record are still shown, and at a removed site any record may be named.
    ///
    /// - Parameters:
    ///   - reader: a record that is not for this reader is refused like one that the site lacks.
    ///   - hasRows: whether the answer has rows, or follows a page that had some.
    ///   - orStored: whether anything is stored of the record, whatever the request's other
    ///     filters leave. It is only asked about an unknown record without rows.
    public func checkHas(
        _ named: NamedRecord, at site: SiteID, for reader: Reader, hasRows: Bool,
        orStored: () async throws -> Bool = { false }
    ) async throws {
        guard !hasRows, let document = published(site, for: reader)?.index.document,
            !named.isIn(document)
        else { return }
        guard try await orStored() else { throw named.problem }
    }
}
