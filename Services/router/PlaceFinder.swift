import Events
import Geometry
import HTTP
import HTTPClient
import ServiceHost
import Site
import Wayfinding
import Wire

/// Turns the places of a request into places that routes begin and end at.
///
/// The locator is asked for positions with the caller's own token or session. So nobody can find
/// out through a route where other people are.
struct PlaceFinder: Sendable {
    let locator: Neighbour
    let clock: EventClock

    /// The places of a request, as routes need them.
    struct Found: Sendable {
        var places: [RoutePlace]
        /// For each of `places`, the index of the requested place that it stands for.
        var origins: [Int]
    }

    /// - Throws: a `Problem` that names the place that does not exist or that the caller may not
    ///   see.
    func find(
        _ submissions: [PlaceSubmission], at site: ReadySite, for request: HTTPRequest
    ) async throws -> Found {
        var found = Found(places: [], origins: [])
        for (index, submission) in submissions.enumerated() {
            let places = try await places(submission, at: site, for: request)
            found.places += places
            found.origins += Array(repeating: index, count: places.count)
        }
        guard found.places.count <= RouteQuery.mostDestinations else {
            throw Problem(
                .tooManyDestinations,
                "These stand for \(found.places.count) places; at most "
                    + "\(RouteQuery.mostDestinations) are searched for at once.")
        }
        return found
    }

    private func places(
        _ submission: PlaceSubmission, at site: ReadySite, for request: HTTPRequest
    ) async throws -> [RoutePlace] {
        switch submission {
        case .place(let place): return [place]
        case .position(let id):
            let unknown = Problem(
                .positionUnknown, "There is no such position of this site.")
            return [
                try await position(
                    "/v1/positions/\(id)", site: site, for: request, orElse: unknown)
            ]
        case .device(let id, let age):
            let path = "/v1/positions/latest?site=\(site.id)&device=\(id)"
            let unknown = Problem(
                .positionUnknown, "This site has no position of the device \(id).")
            return [
                try await position(
                    path, noOlderThan: age, site: site, for: request, orElse: unknown)
            ]
        }
    }

    /// A position from the locator, as far as the caller may see it.
    private func position(
        _ path: String, noOlderThan seconds: Double? = nil, site: ReadySite,
        for request: HTTPRequest, orElse unknown: Problem
    ) async throws -> RoutePlace {
        let answer = try await locator.get(
            path, headers: TokenDirectory.credentials(of: request), timeoutSeconds: 5)
        switch answer.status {
        case 200: break
        case 401, 403:
            throw Problem(.positionNotYours, "You may not see that position.")
        case 404: throw unknown
        default:
            throw Problem(
                .locatorUnreachable, "The locator does not answer; try again.",
                retryAfterSeconds: 2)
        }
        guard let position = try LocatedPosition(json: answer.body), position.site == site.id.text
        else { throw unknown }
        if let seconds, position.age(at: clock.now).map({ $0 > seconds }) ?? true {
            throw Problem(
                .positionTooOld,
                "The newest position of that device is older than you allow: name another place.")
        }
        guard !position.isOnHiddenFloor else {
            throw Problem(
                .positionLost, "That was on a floor that is not open to you: name another place.")
        }
        guard let point = position.point else {
            throw Problem(.positionLost, "Where that was is not known: name another place.")
        }
        return .point(
            floor: position.floor.map(FloorID.init), point, radiusMetres: position.radius95 ?? 0)
    }
}
