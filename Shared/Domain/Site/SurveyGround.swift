public import Events

/// The part of a survey's place that the site has a record of: a location, or a floor.
public enum SurveyGround: Hashable, Sendable {
    case location(LocationID)
    case floor(FloorID)

    /// `location/` or `floor/`, and the id.
    public var text: String {
        switch self {
        case .location(let id): "location/\(id.text)"
        case .floor(let id): "floor/\(id.text)"
        }
    }

    public init?(text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "location": self = .location(LocationID(String(parts[1])))
        case "floor": self = .floor(FloorID(String(parts[1])))
        default: return nil
        }
    }
}

extension SurveyPlace {
    public var ground: SurveyGround {
        switch self {
        case .location(let id): .location(id)
        case .metres(let floor, _, _), .geographic(let floor, _, _): .floor(floor)
        }
    }
}

extension SiteIndex {
    /// The building of a survey's place; nil where the site does not have the place.
    public func building(of ground: SurveyGround) -> BuildingID? {
        switch ground {
        case .location(let id): location(id).flatMap { floor($0.floor)?.building }
        case .floor(let id): floor(id)?.building
        }
    }
}

extension SiteDocument {
    /// For each of these buildings, the document with only that on which its part of the radio map
    /// depends. While it stays equal, equal surveys give an equal part.
    public func surveyed(_ buildings: some Sequence<BuildingID>) -> [BuildingID: SiteDocument] {
        let buildingOf = Dictionary(
            floors.map { ($0.id, $0.building) }, uniquingKeysWith: { first, _ in first })
        // Each list is gone through once, however many buildings there are.
        let floors = Dictionary(grouping: floors, by: \.building)
        let rooms = Dictionary(grouping: rooms) { buildingOf[$0.floor] }
        let locations = Dictionary(grouping: locations) { buildingOf[$0.floor] }
        let beacons = batteryMarks
        var found: [BuildingID: SiteDocument] = [:]
        for building in buildings {
            let (floors, locations) = (floors[building] ?? [], locations[building] ?? [])
            let (ids, named) = (Set(floors.map(\.id)), Set(locations.map(\.id)))
            found[building] = SiteDocument(
                name: "", originLatitude: originLatitude, originLongitude: originLongitude,
                bearingDegrees: bearingDegrees, floors: floors, rooms: rooms[building] ?? [],
                locations: locations, beacons: beacons,
                surveyDiscards: surveyDiscards.filter {
                    ids.contains($0.floor) || !named.isDisjoint(with: $0.locations)
                },
                accessPoints: accessPoints)
        }
        return found
    }
}
