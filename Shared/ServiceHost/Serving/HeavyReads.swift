import Access
import Foundation
import HTTP
import Site

/// Limits costly operations. A few of each kind run at a time, fewer for one token or site; some
/// wait, and the rest is refused.
///
/// Each kind has limits of its own, so a drawing never waits for an export.
struct HeavyReads: Sendable {
    struct Kind {
        var atOnce: Int
        var ofOneAtOnce: Int
        var waiting: Int
        var ofOneWaiting: Int
        /// Whether all callers of one site share the smaller limits. This holds for operations of
        /// administrators, who could make more tokens to get more turns.
        var isBySite = false
        var operations: [String]
    }

    static let kinds: [Kind] = [
        // These parse, pack and compare complete sites on the threads that answer requests.
        Kind(
            atOnce: 2, ofOneAtOnce: 1, waiting: 32, ofOneWaiting: 16, isBySite: true,
            operations: [
                "GET /v1/sites/{site}/export", "GET /v1/sites/{site}/review",
                "GET /v1/sites/{site}/versions/{version}/compare/{other}",
                "POST /v1/sites/{site}/imports",
            ]),
        Kind(
            atOnce: 4, ofOneAtOnce: 2, waiting: 64, ofOneWaiting: 32,
            operations: [
                "GET /v1/sites/{site}", "GET /v1/sites/{site}/versions/{version}",
                "GET /v1/sites/{site}/access-points", "GET /v1/sites/{site}/fingerprints",
                "GET /v1/sites/{site}/measurements", "GET /v1/positions", "GET /v1/visits",
                "GET /v1/positions/latest", "GET /v1/positions-beside",
                "GET /v1/positions-smoothed", "GET /v1/group-visits",
                "GET /v1/sites/{site}/beacon-batteries", "GET /v1/sites/{site}/survey-coach",
            ]),
        // A replay asks for some seconds at a time, and for the next ones before they are shown.
        Kind(
            atOnce: 4, ofOneAtOnce: 3, waiting: 128, ofOneWaiting: 32,
            operations: ["GET /v1/sites/{site}/replay"]),
        // These count what up to a month has.
        Kind(
            atOnce: 2, ofOneAtOnce: 1, waiting: 32, ofOneWaiting: 16,
            operations: [
                "GET /v1/sites/{site}/room-hours", "GET /v1/sites/{site}/visit-summary",
            ]),
        // Edits of a site wait for each other in the database, each with a connection. Others need
        // connections, too.
        Kind(
            atOnce: 4, ofOneAtOnce: 1, waiting: 256, ofOneWaiting: 64, isBySite: true,
            operations: [
                "POST /v1/sites/{site}/draft/edits", "POST /v1/sites/{site}/draft/undo",
            ]),
        // Drawings are made one after the other on a thread of their own.
        Kind(
            atOnce: 4, ofOneAtOnce: 2, waiting: 64, ofOneWaiting: 16,
            operations: ["GET /v1/sites/{site}/map", "GET /v1/sites/{site}/floors/{floor}/map"]),
        // A network to hand out is made once, on a thread of its own; then it waits in memory.
        Kind(
            atOnce: 4, ofOneAtOnce: 2, waiting: 64, ofOneWaiting: 16,
            operations: ["GET /v1/sites/{site}/network"]),
        // A screen asks for a dozen squares at once, and many screens share an address. Each takes
        // some milliseconds, on another thread.
        Kind(
            atOnce: 16, ofOneAtOnce: 8, waiting: 512, ofOneWaiting: 256,
            operations: [
                "GET /v1/sites/{site}/map/overview",
                "GET /v1/sites/{site}/map/parts/{zoom}/{x}/{y}",
                "GET /v1/sites/{site}/floors/{floor}/map/part",
            ]),
        // Sheets for walls are drawn one after the other, too, on another thread.
        Kind(
            atOnce: 2, ofOneAtOnce: 1, waiting: 16, ofOneWaiting: 4,
            operations: [
                "GET /v1/sites/{site}/locations/{id}/poster.svg",
                "GET /v1/sites/{site}/locations/{id}/poster.pdf",
                "GET /v1/sites/{site}/rooms/{id}/poster.svg",
                "GET /v1/sites/{site}/rooms/{id}/poster.pdf",
                "GET /v1/sites/{site}/floors/{floor}/posters.pdf",
            ]),
        // A page of a PDF may use a core and a gigabyte, and its file waits in memory.
        Kind(
            atOnce: 1, ofOneAtOnce: 1, waiting: 8, ofOneWaiting: 4, isBySite: true,
            operations: ["POST /v1/media/{hash}/picture"]),
        // These read hours of scans and locate them again.
        Kind(
            atOnce: 1, ofOneAtOnce: 1, waiting: 16, ofOneWaiting: 4,
            operations: ["GET /v1/positions/{id}/explain"]),
        // These read letters of up to 11 MB, and an index of all of them.
        Kind(
            atOnce: 2, ofOneAtOnce: 1, waiting: 32, ofOneWaiting: 8,
            operations: [
                "GET /v1/dead-letters", "GET /v1/dead-letters/{topic}/{partition}/{offset}",
                "POST /v1/dead-letters/{topic}/{partition}/{offset}/apply",
            ]),
        // These read the bookings of all rooms of a site for a week.
        Kind(
            atOnce: 8, ofOneAtOnce: 4, waiting: 512, ofOneWaiting: 256,
            operations: ["GET /v1/sites/{site}/rooms/free"]),
        // These mostly run for a millisecond or two, but there may be 32 destinations with
        // alternatives. They run on as many threads as there are processors, and one token must not
        // use all of them.
        Kind(
            atOnce: max(2, ProcessInfo.processInfo.activeProcessorCount),
            ofOneAtOnce: max(1, ProcessInfo.processInfo.activeProcessorCount - 1),
            waiting: 512, ofOneWaiting: 256,
            operations: ["POST /v1/routes", "POST /v1/guidance"]),
        // A positioner program of somebody else may answer these.
        Kind(
            atOnce: 16, ofOneAtOnce: 8, waiting: 512, ofOneWaiting: 256,
            operations: ["POST /v1/locate"]),
    ]

    private let turns: [String: (shared: Turns, isBySite: Bool)]

    /// The limits of one process; processes do not share them.
    init() {
        var turns: [String: (shared: Turns, isBySite: Bool)] = [:]
        for kind in Self.kinds {
            let shared = Turns(
                atOnce: kind.atOnce, ofOneAtOnce: kind.ofOneAtOnce, waiting: kind.waiting,
                ofOneWaiting: kind.ofOneWaiting)
            for operation in kind.operations { turns[operation] = (shared, kind.isBySite) }
        }
        self.turns = turns
    }

    /// The route; a costly one waits for its turn.
    func bounding(_ route: Route) -> Route {
        guard let turns = turns["\(route.method.rawValue) \(route.pattern)"],
            case .task(let handler) = route.handler
        else { return route }
        var bounded = route
        bounded.handler = .task { request in
            let name = Self.name(request, isBySite: turns.isBySite)
            let turn = try await turns.shared.acquire(for: name)
            defer { turn.end() }
            return try await handler(request)
        }
        return bounded
    }

    /// The name under which a request waits: the site or the caller.
    private static func name(_ request: HTTPRequest, isBySite: Bool) -> String {
        guard let principal = request.principal, !principal.countsByAddress else {
            return request.senderText
        }
        guard isBySite else { return principal.id }
        // A site and its testers' site share their turns.
        let sites = Set((request.caller?.grants ?? []).map { $0.site?.tested ?? $0.site })
        if sites.count == 1, let site = sites.first ?? nil { return "site/\(site)" }
        return principal.id
    }
}
