import Events
import HTTP
import ServiceHost
import Site
import Wire

extension LocatorRoutes {
    /// GET /v1/sites/{site}/replay: where all devices were, from a time on.
    var replay: Route {
        Route(.get, "/v1/sites/{site}/replay", handler: .task { try await replay($0) })
    }

    private func replay(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try published.site(of: request)
        let (device, buildings) = try filter(request, site)
        let period = try ReplayPeriod(request)
        var query = PositionQuery(
            site: site.text, sight: try sight(request, at: site), from: period.from,
            until: period.until, limit: ReplayPeriod.mostPositions)
        (query.device, query.buildings) = (device, buildings)
        query.floor = try request.filled("floor").map { FloorID($0) }
        if let floor = query.floor, try !sight(request, at: site).shows(floor) {
            throw NamedRecord.floor(floor).problem
        }
        let found = try await period.read(query, stored)
        try await published.checkIsKnown(site, hasRows: !found.positions.isEmpty) {
            try await stored.hasAny(of: site.text)
        }
        if let floor = query.floor {
            // A misspelt floor would be an empty one. One that was removed may have positions.
            try await published.checkHas(
                .floor(floor), at: site, for: request.reader(at: site),
                hasRows: !found.positions.isEmpty)
        }
        return .json(
            ReplayAnswer(from: period.from, until: found.until, positions: found.positions).json)
    }
}

/// The time that one request of a replay asks for.
struct ReplayPeriod: Sendable {
    /// The most positions that are read for an answer. 500 devices that scan each second have
    /// them in ten seconds or so.
    static let mostPositions = 6_000
    private static let mostSeconds = 600
    private static let usualSeconds = 60
    /// How often more is read where one instant alone has more positions.
    private static let mostTries = 4
    /// The last instant that RFC 3339 can write.
    private static let last = Timestamp(microseconds: 253_402_300_799_999_999)

    let from: Timestamp
    let until: Timestamp

    /// - Throws: a `Problem` that names the wrong parameter.
    init(_ request: HTTPRequest) throws(Problem) {
        guard let from = try request.time("from") else {
            throw Problem(
                .fieldMissing, "from: send the time at which the replay begins, in RFC 3339.")
        }
        var seconds = Self.usualSeconds
        if let text = request.firstQuery("seconds") {
            guard let number = Int(text), (1...Self.mostSeconds).contains(number) else {
                throw Problem(
                    .fieldOutOfRange, "seconds is a whole number from 1 to \(Self.mostSeconds).")
            }
            seconds = number
        }
        self.from = from
        until = min(from.advanced(byMicroseconds: Int64(seconds) * 1_000_000), Self.last)
    }

    /// The positions from the beginning on, in their order, with the time until which these are
    /// all.
    func read(
        _ query: PositionQuery, _ stored: StoredPositions
    ) async throws -> (positions: [PositionEstimated], until: Timestamp) {
        var query = query
        for _ in 0..<Self.mostTries {
            let positions = try await query.run(stored)
            guard positions.count >= query.limit, let last = positions.last?.at else {
                return (positions, until)
            }
            // Others of the same instant may not have been read.
            let sure = positions.prefix { $0.at < last }
            if !sure.isEmpty { return (Array(sure), last) }
            query.limit *= 4
        }
        throw Problem(
            .fieldOutOfRange,
            "from: too many positions have exactly this time; begin after it.")
    }
}
