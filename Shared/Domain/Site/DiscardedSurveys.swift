public import Events
public import Geometry

/// Decides whether a survey is discarded by the site's document.
public struct DiscardedSurveys {
    private struct Area {
        var polygon: Polygon
        var holes: [Polygon]
        var before: Timestamp

        func contains(_ point: Point) -> Bool {
            polygon.contains(point) && !holes.contains { $0.contains(point) }
        }
    }

    private struct Place {
        var floor: FloorID
        var point: Point
    }

    private var areas: [FloorID: [Area]] = [:]
    /// For each location: surveys that arrived before this time do not count.
    private var named: [LocationID: Timestamp] = [:]
    private let locations: [LocationID: Place]
    private let frame: LocalFrame
    private let isEmpty: Bool

    public init(_ document: SiteDocument, frame: LocalFrame) {
        self.frame = frame
        isEmpty = document.surveyDiscards.isEmpty
        locations = Dictionary(
            document.locations.map { location in
                (
                    location.id,
                    Place(floor: location.floor, point: location.point)
                )
            }
        ) { first, _ in first }
        for discard in document.surveyDiscards {
            for location in discard.locations {
                named[location] = max(named[location] ?? discard.before, discard.before)
            }
            if let polygon = discard.outline.polygon {
                areas[discard.floor, default: []].append(
                    Area(
                        polygon: polygon, holes: discard.holes.compactMap(\.polygon),
                        before: discard.before))
            }
        }
    }

    /// Whether the survey arrived before its place was cleared or removed.
    public func contains(_ survey: SurveyRecorded) -> Bool {
        contains(survey.place, arrivedAt: survey.scan.receivedAt)
    }

    /// Whether a survey of this place that arrived at this time is discarded.
    public func contains(_ survey: SurveyPlace, arrivedAt arrival: Timestamp) -> Bool {
        if isEmpty { return false }
        let place: Place?
        switch survey {
        case .location(let id):
            if let before = named[id], arrival < before { return true }
            place = locations[id]
        case .metres(let floor, let x, let y):
            place = Place(floor: floor, point: Point(x: x, y: y))
        case .geographic(let floor, let latitude, let longitude):
            let point = frame.point(GeographicPoint(latitude: latitude, longitude: longitude))
            place = Place(floor: floor, point: point)
        }
        guard let place, let areas = areas[place.floor] else { return false }
        return areas.contains { arrival < $0.before && $0.contains(place.point) }
    }
}
