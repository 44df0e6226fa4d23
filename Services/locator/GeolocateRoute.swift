import Events
import HTTP
import ServiceHost
import Site
import Wire

extension LocatorRoutes {
    /// POST /v1/geolocate: locates as `/v1/locate` does, for programs that speak to Google's or
    /// Mozilla's interface. It stores nothing, and answers in their form.
    var geolocate: Route {
        Route(
            .post, "/v1/geolocate", maximumBodyBytes: 262_144,
            handler: .task { try await geolocate($0) }
        ).accepting(.query("key"), problems: GeolocateProblem.response)
    }

    private func geolocate(_ request: HTTPRequest) async throws -> HTTPResponse {
        let received = Timestamp(microseconds: request.receivedAtMicroseconds)
        let submission = try request.read { (body) throws(WireFault) in
            try GeolocateQuestion.submission(json: body, receivedAt: received)
        }
        let site = try published.site(of: request)
        guard let submission else { throw GeolocateProblem.notLocated }
        let position = try await position(of: submission, at: site, receivedAt: received)
        guard position.state != .lost,
            published[whole: site]?.index.document.isPlacedOnEarth == true,
            let latitude = position.latitude, let longitude = position.longitude,
            let radius = position.radius95
        else { throw GeolocateProblem.notLocated }
        var response = HTTPResponse.json(
            GeolocateAnswer.place(
                latitude: latitude, longitude: longitude, accuracyMetres: radius))
        response.headers.append(("cache-control", "no-store"))
        return response
    }
}

/// Problems in the form of Google's interfaces, with their domains, reasons and statuses.
///
/// Source: Google Maps Platform, "Geolocation requests and response", Errors. `backendError` is of
/// Google's interfaces in general.
enum GeolocateProblem {
    static let notLocated = Problem(
        .notLocated, "No place is known for these senders in a building of the site.")

    static func response(_ problem: Problem) -> HTTPResponse {
        let (domain, reason, message, status) = words(problem)
        var response = HTTPResponse.json(
            GeolocateAnswer.error(
                domain: domain, reason: reason, message: message, status: status),
            status: status)
        if let seconds = problem.retryAfterSeconds {
            response.headers.append(("retry-after", String(seconds)))
        }
        return response
    }

    private static func words(
        _ problem: Problem
    ) -> (domain: String, reason: String, message: String, status: Int) {
        switch problem.status {
        case 401, 403:
            return (
                "usageLimits", "keyInvalid", "The key is missing or wrong, or not for this.", 400
            )
        case 429: return ("usageLimits", "userRateLimitExceeded", problem.detail, 403)
        case 404: return ("geolocation", "notFound", "Not found", 404)
        case 400..<500: return ("global", "parseError", problem.detail, 400)
        default: return ("global", "backendError", problem.detail, problem.status)
        }
    }
}
