import Devices
import Events
import Geometry
import HTTP
import ServiceHost
import Site
import Wire

/// Finds the building that a point is in, for phones with a satellite fix.
struct CurrentBuildingRoutes: Sendable {
    let sites: SiteDirectory
    let clock: EventClock
    let rules: VisitRules

    var all: [Route] {
        [
            Route(
                .get, "/v1/sites/{site}/current-building",
                handler: .task { try await currentBuilding($0) })
        ]
    }

    private func currentBuilding(_ request: HTTPRequest) async throws -> HTTPResponse {
        let place = GeographicPoint(
            latitude: try request.degrees("latitude", within: 90),
            longitude: try request.degrees("longitude", within: 180))
        let before = request.firstQuery("before").map(BuildingID.init)
        let state = try request.buildingState()
        let site = try sites.site(of: request)
        let published = try sites.seen(site, by: request)
        let (shapes, now) = (published.index.buildingShapes, clock.now)
        let point = published.index.frame.point(place)
        var dwell = state ?? BuildingDwell(point, before: before, at: now, in: shapes)
        if state != nil { dwell.evolve(point, at: now, in: shapes, rules) }
        return .json(CurrentBuilding.json(version: published.version, dwell))
    }
}

extension HTTPRequest {
    /// The state of the last answer for the same device; nil for a first question.
    fileprivate func buildingState() throws(Problem) -> BuildingDwell? {
        guard let text = firstQuery("state") else { return nil }
        guard let dwell = CurrentBuilding.dwell(state: text) else {
            throw Problem(
                .buildingStateMalformed, "Send state as the last answer had it, or none.")
        }
        return dwell
    }

    fileprivate func degrees(_ name: String, within limit: Double) throws(Problem) -> Double {
        guard let degrees = firstQuery(name).flatMap(Double.init), abs(degrees) <= limit else {
            throw Problem(
                .coordinatesOutOfRange,
                "Send \(name) in degrees within ±\(Int(limit)).")
        }
        return degrees
    }
}
