import Access
import Cryptography
import Events
import HTTP
import HTTPClient
import Privacy
import ServiceHost
import Wire

/// /v1/sites/{site}/devices and /v1/day-keys: people enrol their devices, and scan-ingest learns
/// which devices keep their ids.
struct DeviceRoutes: Sendable {
    private static let pageMaximum = 1_000
    /// A service that starts again answers after about this time.
    private static let keeperSeconds = 10
    private static let editors = RoleSet(.administratorOfSite, .administrator)

    let sites: SiteDirectory
    let clock: EventClock
    let security: SecurityLog
    let devices: DeviceStore
    let dayKeys: DayKeyStore
    let erasures: ErasureStore
    let keepers: [DeviceKeeper]
    /// How long the log keeps the slowest of a device's records, where its engine can't remove
    /// single ones.
    let keptOnLog: Duration?

    var all: [Route] {
        [
            Route(.get, "/v1/day-keys", handler: .task { try await keys($0) }),
            Route(
                .post, "/v1/sites/{site}/devices", maximumBodyBytes: 4_096,
                handler: .task { try await enrol($0) }),
            Route(.get, "/v1/sites/{site}/devices", handler: .task { try await list($0) }),
            Route(.get, "/v1/sites/{site}/devices/{id}", handler: .task { try await one($0) }),
            Route(
                .patch, "/v1/sites/{site}/devices/{id}", maximumBodyBytes: 4_096,
                handler: .task { try await change($0) }),
            Route(
                .delete, "/v1/sites/{site}/devices/{id}", handler: .task { try await erase($0) }),
            Route(
                .get, "/v1/sites/{site}/erasures/{id}",
                handler: .task { try await erasure($0) }),
            Route(
                .get, "/v1/sites/{site}/devices/{id}/report",
                handler: .task { try await report($0) }),
        ]
    }

    /// All that scan-ingest needs of every site. Only services may ask.
    ///
    /// Each process of scan-ingest asks every three seconds, and devices seldom change.
    private func keys(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard sites.isReady else { throw Problem.starting }
        let keys = try await dayKeys.renew(sites)
        // Read before the devices: a change in between shows the next time.
        let state =
            SitePrivacyList.json(keys.mapValues { SitePrivacy(keys: $0) })
            + Array(try await devices.state().utf8)
        let tag = "\"\(sha256Hex(state).prefix(32))\""
        if request.knows(tag) {
            return HTTPResponse(
                status: 304, headers: [("etag", tag), ("cache-control", "no-store")])
        }
        var all = try await devices.enrolled()
        for (site, keys) in keys { all[site, default: SitePrivacy()].keys = keys }
        return tagged(SitePrivacyList.json(all), tag, isKept: false)
    }

    private func enrol(_ request: HTTPRequest) async throws -> HTTPResponse {
        let keeper = try keeper(of: request)
        guard keeper.edits || keeper.caller.account != nil else {
            throw Problem(
                .ownerMissing, "People enrol their own devices, and editors of the site any.")
        }
        let submission = try request.read(DeviceSubmission.init(json:))
        guard let name = submission.name else {
            throw Problem(.nameUnusable, "Send the name of the device, as people know it.")
        }
        try People.checkNames(signIn: "x", name: name)
        let device = try await devices.enrol(
            submission, site: keeper.site, owner: keeper.caller.account,
            limit: keeper.edits ? nil : DeviceStore.maximumOfAccount, at: clock.now)
        security.note(
            .deviceEnrolled, by: request, ["device": device.id.text, "of": keeper.site.text])
        return answer(device, status: 201)
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let keeper = try keeper(of: request)
        let after = try request.firstQuery("after").map { text throws(Problem) in
            guard let id = DeviceID(validating: text) else { throw Problem.cursorMalformed }
            return id
        }
        let limit = try request.pageLimit(maximum: Self.pageMaximum)
        let rows = try await listed(keeper, after: after, limit: limit)
        return taggedByContent(ListAnswer.page(rows, limit: limit), namesPeople: true)
    }

    /// All devices for an editor, a person's own, and a device itself.
    private func listed(
        _ keeper: Keeper, after: DeviceID?, limit: Int
    ) async throws -> [EnrolledDevice] {
        if keeper.edits || keeper.caller.account != nil {
            return try await devices.devices(
                of: keeper.site, owner: keeper.edits ? nil : keeper.caller.account, after: after,
                limit: limit)
        }
        guard let own = keeper.caller.device,
            let device = try await devices.device(own, of: keeper.site)
        else { return [] }
        return [device]
    }

    private func one(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (device, _) = try await known(request)
        return answer(device)
    }

    private func change(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (device, keeper) = try await known(request)
        let submission = try request.read(DeviceSubmission.init(json:))
        if let name = submission.name { try People.checkNames(signIn: "x", name: name) }
        guard
            let changed = try await devices.change(device.id, of: keeper.site, to: submission)
        else { throw Self.unknown }
        return answer(changed)
    }

    // MARK: Erasing

    /// Erases a device, enrolled or not: an editor of the site any, a person their own, a device
    /// itself.
    private func erase(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (id, site, caller) = try await disposed(request)
        // The record of an erasure lies beside the backups for good.
        guard try await isKnown(site, with: id) else { throw Problem.siteUnknown(site) }
        let event = try await erasures.erase(
            id, of: site, by: caller.id,
            limit: caller.has(Self.editors, inAllOf: site) ? nil : ErasureStore.maximumOfAccount,
            at: clock.now)
        security.note(
            .deviceErased, by: request,
            ["erasure": event.id.description, "of": site.text])
        var response = HTTPResponse.json(ErasureAnswer(event).json(), status: 202)
        response.headers += [
            ("cache-control", "no-store"),
            ("location", "/v1/sites/\(site)/erasures/\(event.id)"),
        ]
        return response
    }

    /// Whether there is or was such a site, or a service has rows of the device there.
    ///
    /// - Throws: a `Problem` if none has any that answers, and one does not answer.
    private func isKnown(_ site: SiteID, with device: DeviceID) async throws -> Bool {
        if try await erasures.knows(site) { return true }
        var silent: [String] = []
        for keeper in keepers {
            guard let kept = await keeper.kept(of: device, at: site) else {
                silent.append(keeper.name)
                continue
            }
            if kept.contains(where: { $0.rows ?? 0 > 0 }) { return true }
        }
        guard silent.isEmpty else {
            throw Problem(
                .keepersSilent,
                "There is no site \(site), and \(silent.joined(separator: " and ")) did not say "
                    + "whether it has something of the device there.",
                retryAfterSeconds: Self.keeperSeconds)
        }
        return false
    }

    /// The device of a request, enrolled or not, whose data the caller disposes of.
    private func disposed(
        _ request: HTTPRequest
    ) async throws -> (id: DeviceID, site: SiteID, caller: Caller) {
        guard let caller = request.caller else { throw Problem.tokenMissing }
        // The log may still have what was at a testers' site, as it has of any removed site.
        let site = try sites.site(of: request, alsoEndedTests: true)
        guard let id = DeviceID(validating: request.parameters["id"] ?? "") else {
            throw Problem.identifierMalformed
        }
        let isItself = caller.device == id && caller.onlySite == site
        if !isItself, !caller.has(Self.editors, inAllOf: site) {
            let owner = try await devices.device(id, of: site)?.owner
            guard let owner, owner == caller.account else { throw Self.unknown }
        }
        return (id, site, caller)
    }

    /// All that is kept about a device, asked of each service.
    private func report(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (id, site, _) = try await disposed(request)
        let now = clock.now
        var parts: [(name: String, kept: [KeptData]?)] = [
            ("site-editor", try await devices.kept(of: id, at: site))
        ]
        for keeper in keepers {
            parts.append((keeper.name, await keeper.kept(of: id, at: site)))
        }
        security.note(
            .deviceReportRead, by: request, ["device": id.text, "of": site.text])
        let report = DeviceReport(
            id, of: site, at: now, erasedAt: try await erasures.newest(of: id, at: site))
        var response = HTTPResponse.json(report.json(parts))
        response.headers.append(("cache-control", "no-store"))
        return response
    }

    /// An erasure, and which services are done with it. Who knows its id may ask.
    private func erasure(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request, alsoEndedTests: true)
        guard let id = EventID(request.parameters["id"] ?? ""),
            let event = try await erasures.erasure(id, of: site)
        else { throw Problem(.erasureUnknown, "There is no such erasure, or it is long over.") }
        var parts: [(name: String, isDone: Bool?)] = [("site-editor", true)]
        let both = [id] + (try await erasures.twin(of: event).map { [$0] } ?? [])
        for keeper in keepers {
            parts.append((keeper.name, await Self.isDone(both) { await keeper.hasErased($0) }))
        }
        if let isCopied = try await Self.isDone(both, { try await erasures.isCopied($0) }) {
            parts.append(("backups", isCopied))
        }
        var response = HTTPResponse.json(
            ErasureAnswer(event).json(parts: parts, onLogUntil: onLogUntil(event)))
        response.headers.append(("cache-control", "no-store"))
        return response
    }

    /// Whether all of these erasures are done; nil where one of them gives no answer.
    private static func isDone(
        _ ids: [EventID], _ isDone: (EventID) async throws -> Bool?
    ) async rethrows -> Bool? {
        var areAll = true
        for id in ids {
            guard let isOne = try await isDone(id) else { return nil }
            areAll = areAll && isOne
        }
        return areAll
    }

    /// Until when the log shows an id that people chose by hand, such as `anna-phone`.
    private func onLogUntil(_ erased: DeviceErased) -> Timestamp? {
        guard let keptOnLog, !EnrolledID.isOne(erased.device) else { return nil }
        return erased.at.advanced(byMicroseconds: keptOnLog.components.seconds * 1_000_000)
    }

    // MARK: Who may

    /// A caller who may enrol devices: an editor of the site any, a person with an account their
    /// own.
    private struct Keeper {
        var site: SiteID
        var caller: Caller
        var edits: Bool
    }

    private func keeper(of request: HTTPRequest) throws -> Keeper {
        guard let caller = request.caller else { throw Problem.tokenMissing }
        let site = try sites.site(of: request)
        guard sites[whole: site] != nil else {
            throw sites.isReady ? Problem.siteUnknown(site) : .starting
        }
        return Keeper(site: site, caller: caller, edits: caller.has(Self.editors, inAllOf: site))
    }

    private func known(_ request: HTTPRequest) async throws -> (EnrolledDevice, Keeper) {
        let keeper = try keeper(of: request)
        guard let id = DeviceID(validating: request.parameters["id"] ?? ""),
            let device = try await devices.device(id, of: keeper.site),
            keeper.edits || keeper.caller.account != nil && device.owner == keeper.caller.account
        else { throw Self.unknown }
        return (device, keeper)
    }

    private static let unknown = Problem(.deviceUnknown, "There is no such device of yours.")

    private func answer(_ device: EnrolledDevice, status: Int = 200) -> HTTPResponse {
        var response = HTTPResponse.json(device.json, status: status)
        response.headers.append(("cache-control", "no-store"))
        return response
    }
}
