import Events
import Geometry

extension SiteDocument {
    /// The document without what is not for the reader: rooms, floors and entries, and everything
    /// that hangs on them. The whole plan of a floor goes with one of its rooms, since no room can
    /// be cut out of a picture.
    ///
    /// - Parameter present: the site as it is published now, where this document is another
    ///   version. A record that is not for the reader there is left out here, too.
    public func seen(by reader: Reader, asIn present: SiteDocument? = nil) -> SiteDocument {
        guard reader < .editor else { return self }
        var seen = self
        // They hold outlines and names of places, and only editors and services need them.
        seen.surveyDiscards = []
        seen.linkSecret = nil
        // Without the secret the word would be one that no site may have.
        if seen.audience == .link { seen.audience = nil }
        let own = SiteVisibility(self)
        var unseen = HiddenThings(self, own, from: reader)
        if let present {
            let now = HiddenThings(present, SiteVisibility(present), from: reader)
            unseen.formUnion(now, in: self)
        }
        guard !unseen.isEmpty else { return seen }
        seen.removeAll(unseen.things)
        for index in seen.connections.indices {
            guard let stops = unseen.stops[seen.connections[index].id] else { continue }
            seen.connections[index].stops.removeAll { stops.contains($0) }
        }
        return seen
    }

    /// Whether the document has a room, floor or entry that is not for the reader.
    public func isFiltered(for reader: Reader) -> Bool {
        reader < .editor && !SiteVisibility(self).isWhole(for: reader)
    }
}

/// The things of a document that are not for a reader.
private struct HiddenThings {
    private(set) var things: Set<SiteThing> = []
    /// Stops of lifts that stay with their other stops.
    private(set) var stops: [ConnectionID: Set<ConnectionStop>] = [:]
    private let reader: Reader
    private let hiddenRooms: Set<RoomID>
    private let hiddenFloors: Set<FloorID>
    private let ground: RoomGround

    var isEmpty: Bool { things.isEmpty && stops.isEmpty }

    init(_ document: SiteDocument, _ visibility: SiteVisibility, from reader: Reader) {
        self.reader = reader
        let rooms = document.rooms.filter { !reader.sees(visibility.room($0.id)) }
        let hidden = Set(rooms.map(\.id))
        hiddenRooms = hidden
        ground = RoomGround(document) { hidden.contains($0) }
        let floors = Set(
            document.floors.filter { !reader.sees(visibility.floor($0.id)) }.map(\.id))
        hiddenFloors = floors
        things.formUnion(floors.map { .floor($0) })
        things.formUnion(rooms.map { .room($0.id) })
        things.formUnion(
            document.directory.filter { !reader.sees(visibility.entry($0.id)) }
                .map { .directoryEntry($0.id) })
        let drawn = floors.union(rooms.map(\.floor))
        things.formUnion(
            document.floorPlans.filter { drawn.contains($0.floor) }.map(\.thing))
        guard !rooms.isEmpty else { return }
        addPoints(of: document, visibility)
        things.formUnion(
            document.zones.filter { !reader.sees(visibility.zone($0.id)) }.map(\.thing))
        for connection in document.connections { add(connection) }
    }

    /// Adds what is hidden in another version of the document.
    mutating func formUnion(_ other: HiddenThings, in document: SiteDocument) {
        things.formUnion(other.things)
        let rooms = other.hiddenRooms
        // Other things may hang on such a room here than there.
        guard !rooms.isDisjoint(with: Set(document.rooms.map(\.id)).subtracting(hiddenRooms))
        else { return }
        var stricter = document
        for index in stricter.rooms.indices where rooms.contains(stricter.rooms[index].id) {
            stricter.rooms[index].visibility = .hidden
        }
        let again = HiddenThings(stricter, SiteVisibility(stricter), from: reader)
        things.formUnion(again.things)
        stops.merge(again.stops) { $0.union($1) }
    }

    private mutating func addPoints(
        of document: SiteDocument, _ visibility: SiteVisibility
    ) {
        things.formUnion(
            document.locations.filter { !reader.sees(visibility.location($0.id)) }
                .map { .location($0.id) })
        func isIn(_ point: Point, _ floor: FloorID) -> Bool {
            ground.room(at: point, on: floor).map(hiddenRooms.contains) ?? false
        }
        things.formUnion(
            document.beacons.filter { isIn($0.point, $0.floor) }.map(\.thing))
        things.formUnion(
            document.scanners.filter { isIn($0.point, $0.floor) }.map(\.thing))
        things.formUnion(
            document.accessPointPlaces.filter { isIn($0.point, $0.floor) }.map(\.thing))
    }

    /// A way is hidden if it ends in a hidden room or leads through one. A lift keeps its stops at
    /// other rooms, if these are on two floors.
    private mutating func add(_ connection: ConnectionRecord) {
        let hidden = connection.stops.filter { isHidden($0, of: connection.kind) }
        if connection.kind == .lift || connection.kind == .platformLift {
            guard !hidden.isEmpty else { return }
            let left = connection.stops.filter { !hidden.contains($0) }
            if Set(left.map(\.floor)).count > 1 {
                stops[connection.id] = Set(hidden)
            } else {
                things.insert(connection.thing)
            }
        } else if !hidden.isEmpty || leadsThroughHidden(connection) {
            things.insert(connection.thing)
        }
    }

    private func isHidden(_ stop: ConnectionStop, of kind: ConnectionRecord.Kind) -> Bool {
        if let floor = stop.floor, hiddenFloors.contains(floor) { return true }
        if let room = stop.room { return hiddenRooms.contains(room) }
        guard let floor = stop.floor, ground.covers(floor) else { return false }
        // A door is in the wall, on the edge of both of its rooms.
        if kind == .door {
            return ground.rooms(at: stop.point, on: floor).contains(where: hiddenRooms.contains)
        }
        return isInside(stop.point, floor)
    }

    private func isInside(_ point: Point, _ floor: FloorID) -> Bool {
        ground.room(inside: point, on: floor).map(hiddenRooms.contains) ?? false
    }

    /// The most points of one straight piece that are looked at.
    private static let mostPoints = 1_000

    private func leadsThroughHidden(_ connection: ConnectionRecord) -> Bool {
        guard let floor = connection.stops.first?.floor, ground.covers(floor),
            connection.stops.allSatisfy({ $0.floor == floor }), let first = connection.stops.first,
            let last = connection.stops.last
        else { return false }
        let points = [first.point] + connection.line + [last.point]
        for (start, end) in zip(points, points.dropFirst()) {
            let pieces = min(Self.mostPoints, max(1, Int(start.distance(to: end).rounded(.up))))
            for piece in 0...pieces {
                let share = Double(piece) / Double(pieces)
                let point = Point(
                    x: start.x + share * (end.x - start.x), y: start.y + share * (end.y - start.y))
                if isInside(point, floor) { return true }
            }
        }
        return false
    }
}
