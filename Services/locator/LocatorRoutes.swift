import Access
import EventLog
import Events
import HTTP
import Positioning
import Postgres
import Privacy
import ServiceHost
import Site
import Wire

/// /v1/positions, /v1/positions/latest, /v1/positions/stream, /v1/positions/{id},
/// /v1/positions/{id}/explain, /v1/positions-beside, /v1/positions-smoothed, /v1/visits,
/// /v1/group-visits, /v1/counts, /v1/locate, /v1/geolocate,
/// /v1/sites/{site}/replay, /v1/sites/{site}/room-hours, /v1/sites/{site}/visit-summary,
/// /v1/sites/{site}/beacon-batteries and its stream.
struct LocatorRoutes: Sendable {
    let published: SiteDirectory
    let log: any EventLog
    let clock: EventClock
    let security: SecurityLog
    let locating: Locating
    let former: FormerSites
    let stream: EventStream
    let groupStream: EventStream
    let batteryStream: EventStream
    let stored: StoredPositions
    let seal: MemorySeal
    let completeLists = CompleteLists()
    let questions = QuestionQuotas()

    var all: [Route] {
        [
            Route(
                .get, "/v1/positions",
                handler: .task { try await history($0, in: stored) }),
            Route(
                .get, "/v1/positions/latest",
                handler: .task { try await latest($0) }),
            Route(
                .get, "/v1/positions/stream",
                handler: .task { try await follow($0) }),
            Route(
                .get, "/v1/positions/{id}",
                handler: .task { try await one($0) }),
            Route(
                .get, "/v1/positions/{id}/explain",
                handler: .task { try await explain($0) }),
            Route(
                .get, "/v1/visits",
                handler: .task { try await visits($0) }),
            Route(
                .get, "/v1/counts",
                handler: .task { try await counts($0) }),
            Route(
                .post, "/v1/locate",
                handler: .task { try await locate($0) }),
            geolocate, besides, groupVisits, groupEvents, beaconBatteries, batteryEvents,
            replay, roomHours, visitSummary,
        ]
    }

    /// - Parameter stored: reads the rows of the wanted view.
    func history(
        _ request: HTTPRequest, in stored: StoredPositions
    ) async throws -> HTTPResponse {
        let site = try published.site(of: request)
        var query = try PositionQuery(
            request, site: site.text, sight: try sight(request, at: site))
        (query.device, query.buildings) = try filter(request, site)
        query.zone = try zoneFilter(request, site)
        // A misspelt zone must not cost a search through all positions.
        try await checkZone(request, site, hasRows: false) {
            try await stored.hasAny(at: $0, of: site.text)
        }
        let (format, file) = try positionFormat(request, site)
        var headers = [(name: "content-type", value: format.contentType)] + file
        if query.wantsAll {
            guard format.isEndless else {
                throw Problem(
                    .notAcceptable,
                    "With limit=all positions come as application/x-ndjson, text/csv or "
                        + "application/geo+json.")
            }
            try await published.checkIsKnown(site, hasRows: false) {
                try await stored.hasAny(of: site.text)
            }
            let pages = PositionPages(query, in: stored, format, isFile: !file.isEmpty)
            return try await completeLists.all(of: pages, headers: headers, request) {
                try await checkZone(request, site, hasRows: $0)
            }
        }
        let positions = try await query.run(stored)
        try await published.checkIsKnown(
            site, hasRows: !positions.isEmpty || query.after != nil
        ) { try await stored.hasAny(of: site.text) }
        try await checkZone(request, site, hasRows: !positions.isEmpty)
        if positions.count == query.limit, let last = positions.last {
            let cursor = PageCursor(at: last.at, id: last.id).text
            headers.append(("whereabouts-next", cursor))
        }
        return HTTPResponse(headers: headers, body: .bytes(format.encode(positions)))
    }

    private func zoneFilter(
        _ request: HTTPRequest, _ site: SiteID
    ) throws(Problem) -> PositionZone? {
        guard let zone = try request.filled("zone") else { return nil }
        if let seen = published.published(site, for: request.reader(at: site)) {
            return PositionZone(zone, site: seen.index)
        }
        // A document that can't be read, as one of a later release, may have the zone.
        guard published.isUnknown(site) else { throw Problem.starting }
        return .former(zone)
    }

    /// The latest position of each device, a page at a time: `?after=DEVICE&limit=`.
    private func latest(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try published.site(of: request)
        let (device, buildings) = try filter(request, site)
        let limit =
            request.firstQuery("limit") == nil
            ? Self.latestMaximum : try request.pageLimit(maximum: Self.latestMaximum)
        let rows = try await stored.pool.query(
            """
            SELECT device, event::text AS event FROM locator.latest_positions
            WHERE site = $1 AND ($2::text IS NULL OR device = $2)
                AND ($3::text[] IS NULL OR event->>'building' = ANY ($3)) AND device > $4
            ORDER BY device LIMIT $5
            """,
            [
                .text(site.text), .optional(device, PostgresValue.text),
                .optional(buildings) { .textArray($0) },
                .text(request.firstQuery("after") ?? ""), .int(limit),
            ])
        try await published.checkIsKnown(
            site, hasRows: !rows.isEmpty || request.firstQuery("after") != nil
        ) { try await stored.pool.hasRows(ofSite: site.text, in: "locator.latest_positions") }
        let next: String? = rows.count == limit ? try rows.last?["device"] : nil
        let sight = try sight(request, at: site)
        let events = try rows.map { row -> String in
            let event: String = try row["event"]
            guard !sight.isUnlimited else { return event }
            let position = try PositionEstimated(json: Array(event.utf8))
            return String(decoding: sight.position(position).json, as: UTF8.self)
        }
        return .json(LatestPositions.json(events, next: next))
    }

    private static let latestMaximum = 10_000

    private func one(_ request: HTTPRequest) async throws -> HTTPResponse {
        let position = try await explaining.position(try request.id(of: "A position"))
        try checkAllowed(position, request)
        return .json(try sight(request, at: position.site).position(position).json)
    }

    private func explain(_ request: HTTPRequest) async throws -> HTTPResponse {
        let explained = try await explaining.explain(
            try request.id(of: "A position"), by: request.firstQuery("positioner")
        ) { position throws(Problem) in try checkAllowed(position, request) }
        return .json(
            explained.json(
                for: try sight(request, at: explained.site),
                in: published[whole: explained.site]?.index.frame))
    }

    private var explaining: Explaining {
        Explaining(log: log, locating: locating, former: former, stored: stored)
    }

    /// - Throws: a `Problem` where the caller may not see the position.
    private func checkAllowed(
        _ position: PositionEstimated, _ request: HTTPRequest
    ) throws(Problem) {
        let site = try published.site(of: request, named: position.site)
        let (device, buildings) = try filter(request, site, of: position.device)
        guard device == nil || device == position.device.text else {
            throw Problem.deviceNotYours
        }
        if let buildings, !buildings.contains(position.building?.text ?? "") {
            throw Problem.buildingNotYours
        }
    }

    static func page(
        _ format: VisitFormat, _ body: [UInt8], next: String?
    ) -> HTTPResponse {
        var headers = [(name: "content-type", value: format.rawValue)]
        if let next { headers.append(("whereabouts-next", next)) }
        return HTTPResponse(headers: headers, body: .bytes(body))
    }

    /// Counts of devices by zone and quarter of an hour, for who may not see single devices.
    private func counts(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try published.site(of: request)
        var zones: [String]?
        if case .buildings(let some) = try request.reach(at: site) {
            zones = try self.zones(in: some.map(\.text).sorted(), of: site)
        }
        let query = try CountQuery(request, site: site.text, zones: zones)
        let format = try request.accepted(ZoneCountFormat.self, "Counts")
        let sight = try sight(request, at: site)
        var (counts, next): ([ZoneCount], String?)
        do {
            (counts, next) = try await query.run(stored.pool)
            counts.removeAll { !sight.shows($0.zone) }
        } catch let error as PostgresError where error.isUndefinedTable {
            throw Problem.starting
        }
        try await published.checkIsKnown(
            site, hasRows: !counts.isEmpty || request.firstQuery("after") != nil
        ) { try await stored.pool.hasRows(ofSite: site.text, in: "locator_counts.closed") }
        try await checkZone(request, site, hasRows: !counts.isEmpty)
        var headers = [(name: "content-type", value: format.rawValue)]
        if let next { headers.append(("whereabouts-next", next)) }
        return HTTPResponse(
            headers: headers, body: .bytes(format.encode(counts, site: site)))
    }

    /// Refuses a zone that the site lacks where the answer is empty and follows no page.
    ///
    /// - Parameter orStored: whether anything is stored of the zone.
    func checkZone(
        _ request: HTTPRequest, _ site: SiteID, hasRows: Bool,
        orStored: (String) async throws -> Bool = { _ in false }
    ) async throws {
        guard let zone = request.firstQuery("zone") else { return }
        try await published.checkHas(
            .zone(ZoneID(zone)), at: site, for: request.reader(at: site),
            hasRows: hasRows || request.firstQuery("after") != nil
        ) { try await orStored(zone) }
    }

    private func follow(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await follow(stream, request) { try await stored.hasAny(of: $0.text) }
    }

    /// The events of the device or the site that the request names.
    ///
    /// - Parameter isStored: whether anything of a site is stored. A client may still want the last
    ///   events of a removed site; a stream of a misspelt one would only be silent.
    func follow(
        _ stream: EventStream, _ request: HTTPRequest,
        isStored: (SiteID) async throws -> Bool
    ) async throws -> HTTPResponse {
        let site = try published.site(of: request)
        let (device, _) = try filter(request, site)
        try await published.checkIsKnown(site, hasRows: false) { try await isStored(site) }
        return try await stream.response(
            StreamTopic(site: site.text, device: device), sight: streamSight(request, at: site),
            token: request.principal?.id ?? "",
            beginning: published[whole: site]?.index.document.borrows?.since,
            since: try since(of: request),
            lastEventID: request.header("last-event-id"))
    }

    /// The time from which a stream has events, which may be a little ahead of this clock.
    /// - Throws: a `Problem` where it lies further ahead: the stream would be silent until then.
    func since(of request: HTTPRequest) throws(Problem) -> Timestamp? {
        guard let since = try request.time("since") else { return nil }
        let now = clock.now
        guard since - now <= Self.sinceAheadMicroseconds else {
            throw Problem(
                .sinceAhead, "since is ahead of the server's clock, which shows \(now.text).")
        }
        return since
    }

    /// The most that clocks of clients are ahead.
    private static let sinceAheadMicroseconds: Int64 = 5 * 60_000_000

    /// Locates one scan from the body, and stores nothing. An asker who sends `memory` gets the
    /// state after the scan, sealed.
    private func locate(_ request: HTTPRequest) async throws -> HTTPResponse {
        let received = Timestamp(microseconds: request.receivedAtMicroseconds)
        try questions.spend(request, at: received)
        let submission: ScanSubmission
        let sealed: [UInt8]?
        do throws(WireFault) {
            submission = try SubmissionDecoder(.scan).decodeOne(request.body, receivedAt: received)
            sealed = try LocateMemory.sealed(inRequest: request.body)
        } catch {
            throw Problem(error)
        }
        let site = try published.site(of: request, named: submission.site)
        guard let sealed, let asker = request.principal?.id else {
            let position = try await position(of: submission, at: site, receivedAt: received)
            return .json(try sight(request, at: site).position(position).json)
        }
        let sight = try sight(request, at: site)
        let scan = try scan(of: submission, at: site)
        let state = seal.open(sealed, of: asker, at: site, now: received) ?? []
        guard let answer = locating.answer(scan, of: LocateMemory.decode(state)) else {
            let position = try await position(of: submission, at: site, receivedAt: received)
            return .json(LocateMemory.json(sight.position(position), sealed: []))
        }
        guard let position = answer.position else { throw Explaining.noMap }
        let next = LocateMemory.sealed(answer.device) {
            seal.seal($0, of: asker, at: site, now: received)
        }
        return .json(
            LocateMemory.json(
                sight.position(position), sealed: next.bytes, leftOut: next.leftOut))
    }

    /// - Throws: a `Problem` where the site does not exist, or its map is not loaded.
    func position(
        of submission: ScanSubmission, at site: SiteID, receivedAt received: Timestamp
    ) async throws -> PositionEstimated {
        guard let position = await locating.position(try scan(of: submission, at: site)) else {
            throw Explaining.noMap
        }
        return position
    }

    /// The scan to locate.
    ///
    /// - Throws: a `Problem` where the site does not exist, or its map is not loaded.
    private func scan(of submission: ScanSubmission, at site: SiteID) throws -> ScanRecorded {
        guard published[whole: site] != nil else {
            throw published.isReady ? Problem.siteUnknown(site) : .starting
        }
        // The position would be "lost", but the scan is not at fault: the map is not loaded yet.
        guard !locating.sites.awaitsMap(of: site) else { throw Explaining.noMap }
        return submission.recorded(
            id: clock.newEventID(), site: site, device: submission.device ?? DeviceID("anonymous"))
    }

    /// The requested device, and the buildings that the caller may see. A device's token asks about
    /// its own device only. Look-ups of other devices go to the security log.
    /// - Parameter device: the device of the position, if there is one.
    func filter(
        _ request: HTTPRequest, _ site: SiteID, of device: DeviceID? = nil
    ) throws(Problem) -> (device: String?, buildings: [String]?) {
        let asked = try request.filled("device", or: .deviceMalformed)
        let reach = try request.reach(at: site)
        if case .device(let own) = reach {
            guard asked == nil || asked == own.text else { throw Problem.deviceNotYours }
            return (own.text, nil)
        }
        security.note(
            .positionsLookedUp, by: request,
            [
                "site": site.text,
                "device": device?.text ?? asked.map { String($0.prefix(64)) } ?? "all",
                "operation": request.accessRow?.operation.pattern ?? "",
            ])
        if case .buildings(let some) = reach { return (asked, some.map(\.text).sorted()) }
        return (asked, nil)
    }

    /// The buildings, and the rooms and floors in them.
    func zones(in buildings: [String], of site: SiteID) throws(Problem) -> [String] {
        let floors = try floors(in: buildings, of: site)
        let known = Set(floors)
        let rooms = published[whole: site]?.index.document.rooms ?? []
        return buildings + floors + rooms.filter { known.contains($0.floor.text) }.map(\.id.text)
    }

    func floors(in buildings: [String], of site: SiteID) throws(Problem) -> [String] {
        guard let document = published[whole: site]?.index.document else {
            throw published.isReady ? Problem.siteUnknown(site) : .starting
        }
        return document.floors.filter { buildings.contains($0.building.text) }.map(\.id.text)
    }
}
