public import Events

/// Where a reader sees not all doors and ways, since some lead to what is not for them.
///
/// In such a place nobody can count openings for the reader by the rest of the site. The number of
/// the others, their places and what is behind them are not in here.
public struct UnseenOpenings: Hashable, Sendable {
    /// The rooms that the reader sees, with an opening that they do not.
    public private(set) var rooms: Set<RoomID> = []
    /// The floors with such a way outside of rooms; nil stands for outdoors.
    public private(set) var floors: Set<FloorID?> = []

    /// For a reader who sees everything.
    public init() {}

    init(of whole: SiteIndex, in seen: SiteDocument) {
        let connections = Set(seen.connections.map(\.id))
        let known = Set(seen.rooms.map(\.id))
        for connection in whole.document.connections where !connections.contains(connection.id) {
            for stop in connection.stops {
                if let room = stop.room {
                    if known.contains(room) { rooms.insert(room) }
                    continue
                }
                let around = stop.floor.flatMap(whole.floorIndex).map {
                    whole.rooms(at: stop.point, on: $0).map { whole.room($0).id }
                }
                let visible = (around ?? []).filter(known.contains)
                rooms.formUnion(visible)
                // A stop within rooms of others is beside no way of the reader.
                if !visible.isEmpty || around?.isEmpty ?? true { floors.insert(stop.floor) }
            }
        }
    }
}
