import Events
import Geometry

extension SiteDocument {
    /// Discards the surveys made so far in the place.
    mutating func clear(_ place: SiteThing, at moment: Timestamp) throws(SiteRefusal) {
        guard contains(place) else { throw .unknown(place) }
        guard let discards = surveyDiscards(of: place, before: moment) else {
            throw .notClearable(place)
        }
        add(discards)
    }

    /// The discards for a room, a location, a floor or a building; nil for other kinds, which have
    /// no surveys.
    func surveyDiscards(of thing: SiteThing, before moment: Timestamp) -> [SurveyDiscard]? {
        if thing.kind == BuildingRecord.kind.name {
            // All surveys of a building were made on its floors.
            return floors.filter { .building($0.building) == thing }
                .flatMap { surveyDiscards(of: .floor($0.id), before: moment) ?? [] }
        }
        if let floor: FloorRecord = record(thing) {
            let named = locations.filter { $0.floor == floor.id }.map(\.id)
            return discards(floor: floor.id, outline: wholePlane, naming: named, before: moment)
        }
        if let room: RoomRecord = record(thing) {
            let named = locations.filter { $0.room == room.id }.map(\.id)
            return discards(
                floor: room.floor, outline: room.outline, holes: room.holes + roomsWithin(room),
                naming: named, before: moment)
        }
        if let location: LocationRecord = record(thing) {
            return discards(
                floor: location.floor, outline: [], naming: [location.id], before: moment)
        }
        return nil
    }

    /// A later discard replaces an earlier one of the same place, so that repeated clearing does
    /// not fill the document.
    mutating func add(_ discards: [SurveyDiscard]) {
        for discard in discards {
            surveyDiscards.removeAll { known in
                known.floor == discard.floor && known.outline == discard.outline
                    && known.holes == discard.holes
                    && known.locations == discard.locations && known.before <= discard.before
            }
            surveyDiscards.append(discard)
        }
    }

    private func discards(
        floor: FloorID, outline: Ring, holes: [Ring] = [],
        naming locations: [LocationID], before moment: Timestamp
    ) -> [SurveyDiscard] {
        let limit = SiteLimits.placesPerThing
        let first = SurveyDiscard(
            floor: floor, outline: outline, holes: Array(holes.prefix(limit)),
            locations: Array(locations.prefix(limit)), before: moment)
        let more = stride(from: limit, to: locations.count, by: limit).map { start in
            SurveyDiscard(
                floor: floor, outline: [],
                locations: Array(locations[start..<min(start + limit, locations.count)]),
                before: moment)
        }
        return [first] + more
    }

    /// The outlines of smaller rooms within the room: a survey in a booth belongs to the booth, not
    /// to the hall around it.
    private func roomsWithin(_ room: RoomRecord) -> [Ring] {
        guard let outer = room.outline.polygon else { return [] }
        return rooms.filter { $0.floor == room.floor && $0.id != room.id }.compactMap { other in
            guard let inner = other.outline.polygon, inner.area < outer.area,
                inner.corners.allSatisfy({
                    outer.distance(from: $0) < Self.sharedWallMetres
                })
            else { return nil }
            return other.outline
        }
    }

    /// Metres by which a room's corners may lie outside the room around it, since a wall may be
    /// drawn twice.
    private static var sharedWallMetres: Double { 0.001 }

    /// The outline for a floor: surveys may lie outside the floor's own outline.
    private var wholePlane: Ring {
        let far = SiteLimits.coordinateMetres
        return [[-far, -far], [far, -far], [far, far], [-far, far]]
    }
}
