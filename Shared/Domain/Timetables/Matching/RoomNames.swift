public import Events
public import Site

/// Finds rooms by their ids and names.
public struct RoomNames: Sendable {
    enum Finding: Hashable {
        case room(RoomID)
        /// Several rooms have the name.
        case several
    }

    private var ids: [String: RoomID] = [:]
    private var names: [String: Set<RoomID>] = [:]

    /// - Parameter building: the building to which the rooms are restricted; nil for all.
    public init(_ site: SiteDocument, building: BuildingID? = nil) {
        var floors: Set<FloorID>?
        if let building {
            floors = Set(site.floors.filter { $0.building == building }.map(\.id))
        }
        for room in site.rooms where floors?.contains(room.floor) ?? true {
            ids[String(folded(room.id.text))] = room.id
            for name in room.allNames { names[String(folded(name)), default: []].insert(room.id) }
        }
    }

    /// - Parameter text: folded.
    func find(_ text: String) -> Finding? {
        if let id = ids[text] { return .room(id) }
        guard let found = names[text], let only = found.first else { return nil }
        return found.count == 1 ? .room(only) : .several
    }
}
