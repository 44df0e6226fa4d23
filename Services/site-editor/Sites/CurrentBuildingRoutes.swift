import Events
import Geometry
import HTTP
import ServiceHost
import Site
import Wire

/// Finds the building that a point is in, for phones with a satellite fix.
struct CurrentBuildingRoutes: Sendable {
    let sites: SiteDirectory

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
        let site = try sites.site(of: request)
        guard sites.isReady else { throw Problem.starting }
        guard let published = sites[site] else { throw Problem.siteUnknown(site) }
        let index = published.index
        let building = index.buildingShapes.building(at: index.frame.point(place), before: before)
        return .json(CurrentBuilding.json(version: published.version, building: building))
    }
}

extension HTTPRequest {
    fileprivate func degrees(_ name: String, within limit: Double) throws(Problem) -> Double {
        guard let degrees = firstQuery(name).flatMap(Double.init), abs(degrees) <= limit else {
            throw Problem(
                .coordinatesOutOfRange,
                "Send \(name) in degrees within ±\(Int(limit)).")
        }
        return degrees
    }
}
