import Events
import Geometry

extension SiteDocument {
    /// Discards the surveys that were made in the place so far.
    mutating func clear(_ place: SiteThing, at moment: Timestamp) throws(SiteRefusal) {
        guard contains(place) else { throw .unknown(place) }
        guard let discards = surveyDiscards(of: place, before: moment) else {
            throw .notClearable(place)
        }
        add(discards)
    }

    /// What is discarded with a room, a location, a floor or a building; nil for what has no surveys.
    func surveyDiscards(of thing: SiteThing, before moment: Timestamp) -> [SurveyDiscard]? {
        switch thing {
        case .building: return []
        case .floor(let id):
            let named = locations.filter { $0.floor == id }.map(\.id)
            return discards(floor: id, outline: wholePlane, naming: named, before: moment)
        case .room(let id):
            guard let room: RoomRecord = record(thing) else { return nil }
            let named = locations.filter { $0.room == id }.map(\.id)
            return discards(
                floor: room.floor, outline: room.outline, holes: room.holes + roomsWithin(room),
                naming: named, before: moment)
        case .location(let id):
            guard let location: LocationRecord = record(thing) else { return nil }
            return discards(floor: location.floor, outline: [], naming: [id], before: moment)
        default: return nil
        }
    }

    /// A later discard of the same place takes the place of the earlier one, so that clearing again
    /// and again does not fill the document.
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
        floor: FloorID, outline: [[Double]], holes: [[[Double]]] = [],
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

    /// The outlines of smaller rooms that lie within the room: a survey in a booth is the booth's, not the
    /// hall's around it.
    private func roomsWithin(_ room: RoomRecord) -> [[[Double]]] {
        guard let outer = Polygon(corners: room.outline) else { return [] }
        return rooms.filter { $0.floor == room.floor && $0.id != room.id }.compactMap { other in
            guard let inner = Polygon(corners: other.outline), inner.area < outer.area,
                inner.corners.allSatisfy({
                    outer.distance(from: $0) < Self.sharedWallMetres
                })
            else { return nil }
            return other.outline
        }
    }

    /// How far a room's corners may stand out of the room around it: walls that were drawn twice.
    private static var sharedWallMetres: Double { 0.001 }

    /// A floor's outline need not hold all that was surveyed on it.
    private var wholePlane: [[Double]] {
        let far = SiteLimits.coordinateMetres
        return [[-far, -far], [far, -far], [far, far], [-far, far]]
    }
}
