import Events

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
                floor: room.floor, outline: room.outline, naming: named, before: moment)
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
                    && known.locations == discard.locations && known.before <= discard.before
            }
            surveyDiscards.append(discard)
        }
    }

    private func discards(
        floor: FloorID, outline: [[Double]], naming locations: [LocationID],
        before moment: Timestamp
    ) -> [SurveyDiscard] {
        let limit = SiteLimits.placesPerThing
        let first = SurveyDiscard(
            floor: floor, outline: outline, locations: Array(locations.prefix(limit)),
            before: moment)
        let more = stride(from: limit, to: locations.count, by: limit).map { start in
            SurveyDiscard(
                floor: floor, outline: [],
                locations: Array(locations[start..<min(start + limit, locations.count)]),
                before: moment)
        }
        return [first] + more
    }

    /// A floor's outline need not hold all that was surveyed on it.
    private var wholePlane: [[Double]] {
        let far = SiteLimits.coordinateMetres
        return [[-far, -far], [far, -far], [far, far], [-far, far]]
    }
}
