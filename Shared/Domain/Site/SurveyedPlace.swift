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

    private struct Cell: Hashable {
        var floor: FloorID
        var column: Int
        var row: Int
    }

    private var cells: [Cell: [LocationRecord]] = [:]

    init(_ locations: [LocationRecord]) {
        for location in locations {
            guard let cell = Self.cell(of: location.point, on: location.floor) else { continue }
            cells[cell, default: []].append(location)
        }
    }

    func locations(at point: Point, on floor: FloorID) -> [LocationID] {
        guard let middle = Self.cell(of: point, on: floor) else { return [] }
        var found: [LocationID] = []
        for column in middle.column - 1...middle.column + 1 {
            for row in middle.row - 1...middle.row + 1 {
                for location in cells[Cell(floor: floor, column: column, row: row)] ?? []
                where location.point.distance(to: point) <= Self.reachMetres {
                    found.append(location.id)
                }
            }
        }
        return found
    }

    /// Nil for a point far outside any site.
    private static func cell(of point: Point, on floor: FloorID) -> Cell? {
        let limit = SiteLimits.coordinateMetres
        guard abs(point.x) <= limit, abs(point.y) <= limit else { return nil }
        return Cell(
            floor: floor, column: Int((point.x / reachMetres).rounded(.down)),
            row: Int((point.y / reachMetres).rounded(.down)))
    }
}
