import Events
import Geometry
import Site

extension WayFinder {
    /// The rooms of the traveller's floor within a distance, the nearest first.
    ///
    /// A room without an outline, and without a location on that floor, has no place and no card.
    func cards(
        around position: TravellerPosition, within metres: Double, _ most: Int
    ) -> [RoomCard] {
        let site = network.site
        guard metres > 0, most > 0, let floor = position.floor.flatMap({ site.floorIndex($0) })
        else { return [] }
        let id = site.floor(floor).id
        var cards: [RoomCard] = []
        var isUndrawn = false
        for index in site.rooms.indices where site.rooms[index].floor == id {
            guard let outline = site.outline(RoomIndex(index)) else {
                isUndrawn = true
                continue
            }
            guard outline.boundingBox.contains(position.point, tolerance: metres) else { continue }
            let distance = outline.distance(from: position.point)
            guard distance <= metres else { continue }
            let middle = middle(of: RoomIndex(index)) ?? outline.centroid
            cards.append(card(site.rooms[index].id, at: middle, distance, from: position))
        }
        if isUndrawn { cards += cardsAtLocations(of: id, around: position, within: metres) }
        cards.sort { ($0.distanceMetres, $0.room) < ($1.distanceMetres, $1.room) }
        return Array(cards.prefix(most))
    }

    /// The rooms without an outline, each at the location of it that is nearest to the traveller.
    private func cardsAtLocations(
        of floor: FloorID, around position: TravellerPosition, within metres: Double
    ) -> [RoomCard] {
        let site = network.site
        var nearest: [RoomID: (point: Point, distance: Double)] = [:]
        for location in site.document.locations where location.floor == floor {
            guard let room = location.room, let index = site.roomIndex(room),
                site.outline(index) == nil, site.room(index).floor == floor
            else { continue }
            let distance = location.point.distance(to: position.point)
            guard distance <= metres, distance < nearest[room]?.distance ?? .infinity
            else { continue }
            nearest[room] = (location.point, distance)
        }
        return nearest.map { card($0.key, at: $0.value.point, $0.value.distance, from: position) }
    }

    private func middle(of room: RoomIndex) -> Point? {
        guard let space = network.spaceOfRoom[room], network.spaces[space].room == room
        else { return nil }
        return network.spaces[space].middle
    }

    private func card(
        _ room: RoomID, at point: Point, _ distance: Double, from position: TravellerPosition
    ) -> RoomCard {
        RoomCard(
            room: room, distanceMetres: distance,
            bearingDegrees: trueBearing(from: position.point, to: point), middle: point,
            geographic: network.site.frame.geographic(point))
    }
}
