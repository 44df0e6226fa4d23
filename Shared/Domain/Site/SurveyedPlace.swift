public import Events
import Geometry

/// A place where surveys were made.
public struct SurveyedPlace: Hashable, Sendable {
    public var place: SurveyPlace
    /// The time at which the last survey of the place arrived.
    public var lastArrival: Timestamp

    public init(_ place: SurveyPlace, lastArrival: Timestamp) {
        self.place = place
        self.lastArrival = lastArrival
    }
}

extension SiteDocument {
    /// The locations that these surveys name or lie within a metre of. Surveys that the document
    /// discards do not count.
    public func locations(surveyedAt places: [SurveyedPlace]) -> Set<LocationID> {
        let discarded = DiscardedSurveys(self, frame: frame)
        let near = LocationGrid(locations)
        var found: Set<LocationID> = []
        for survey in places where !discarded.contains(survey.place, arrivedAt: survey.lastArrival)
        {
            switch survey.place {
            case .location(let id): found.insert(id)
            case .metres(let floor, let x, let y):
                found.formUnion(near.locations(at: Point(x: x, y: y), on: floor))
            case .geographic(let floor, let latitude, let longitude):
                let place = GeographicPoint(latitude: latitude, longitude: longitude)
                found.formUnion(near.locations(at: frame.point(place), on: floor))
            }
        }
        return found
    }
}

/// Locations by the square metre that they are in.
private struct LocationGrid {
    private static let reachMetres = 1.0

    private var locations = SquareIndex<FloorID, LocationRecord>(
        side: LocationGrid.reachMetres)

    init(_ all: [LocationRecord]) {
        for location in all where Self.isInReach(location.point) {
            locations.insert(location, at: location.point, on: location.floor)
        }
    }

    func locations(at point: Point, on floor: FloorID) -> [LocationID] {
        guard Self.isInReach(point) else { return [] }
        return locations.near(point, on: floor)
            .filter { $0.point.distance(to: point) <= Self.reachMetres }.map(\.id)
    }

    /// False for a point far outside any site.
    private static func isInReach(_ point: Point) -> Bool {
        let limit = SiteLimits.coordinateMetres
        return abs(point.x) <= limit && abs(point.y) <= limit
    }
}
