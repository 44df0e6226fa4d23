import Access
import Events
import HTTP
import ServiceHost
import Wire

/// Pairs visitors with scanners by codes, and ends pairings.
struct PairingRoutes: Sendable {
    private static let editors = RoleSet(.administratorOfSite, .administrator)

    let sites: SiteDirectory
    let clock: EventClock
    let security: SecurityLog
    let store: PairingStore
    let tries = WrongTries()

    var all: [Route] {
        [
            Route(
                .post, "/v1/sites/{site}/pairings", maximumBodyBytes: 1_024,
                handler: .refusing { try await pair($0) }),
            Route(
                .get, "/v1/sites/{site}/pairings", handler: .refusing { try await list($0) }),
            Route(
                .delete, "/v1/sites/{site}/pairings/{id}",
                handler: .refusing { try await end($0) }),
            Route(
                .post, "/v1/scanners/{scanner}/pairing-code",
                handler: .refusing { try await makeCode($0) }),
            Route(
                .get, "/v1/scanners/{scanner}/pairing",
                handler: .refusing { try await ownPairing($0) }),
            Route(
                .delete, "/v1/scanners/{scanner}/pairing",
                handler: .refusing { try await endOwn($0) }),
            Route(
                .post, "/v1/sites/{site}/scanners/{scanner}/printed-code",
                handler: .refusing { try await makePrinted($0) }),
        ]
    }

    private func pair(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        guard let caller = request.caller else { throw Problem.tokenMissing }
        let now = clock.now
        // Anybody can begin many sessions without an account, so their address counts.
        let sender = caller.countsByAddress ? request.senderText : caller.id
        let code = try request.read(CodeSubmission.init(json:)).code
        if let seconds = tries.begin(sender, at: now) {
            throw PairingStore.Refusal.slowed(seconds: seconds)
        }
        let pairing: ListedPairing
        do {
            pairing = try await store.pair(
                code, visitor: caller.id, session: SessionMark(caller), id: clock.newEventID(),
                at: site, moment: now)
        } catch PairingStore.Refusal.codeUnknown {
            tries.end(sender, wasWrong: true, at: now)
            security.note(
                .pairingFailed, by: request,
                ["site": site.text, "address": request.senderText])
            throw PairingStore.Refusal.codeUnknown
        } catch {
            tries.end(sender, wasWrong: false, at: now)
            throw error
        }
        tries.end(sender, wasWrong: false, at: now)
        security.note(
            .scannerPaired, by: request, ["site": site.text, "scanner": pairing.scanner.text])
        return .json(pairing.json, status: 201)
    }

    /// Editors see all pairings of the site, except with `mine`.
    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        guard let caller = request.caller else { throw Problem.tokenMissing }
        let isOwn = try request.flag("mine")
        let seesAll = caller.has(Self.editors, inAllOf: site) && !isOwn
        let visitor = seesAll ? nil : caller.id
        return .json(
            ListAnswer.json(try await store.list(of: visitor, at: site, moment: clock.now)))
    }

    private func end(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        guard let caller = request.caller else { throw Problem.tokenMissing }
        let id = try request.id(of: "A pairing")
        let isEditor = caller.has(Self.editors, inAllOf: site)
        try await store.end(
            id, of: isEditor ? nil : caller.id, by: isEditor ? .administrator : .visitor, at: site,
            moment: clock.now)
        return HTTPResponse(status: 204)
    }

    private func makeCode(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (site, scanner) = try Self.own(request)
        let (code, expiresAt) = try await store.makeCode(
            scanner, at: site, isPrinted: false, moment: clock.now)
        return .json(
            ScannerCode(code: code, site: site, scanner: scanner, expiresAt: expiresAt).json,
            status: 201)
    }

    private func makePrinted(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        guard let name = request.parameters["scanner"],
            let scanner = ScannerID(validating: name)
        else {
            throw Problem(.scannerMalformed, "A scanner's id has 1 to 64 of A-Z a-z 0-9 . _ -")
        }
        let (code, _) = try await store.makeCode(
            scanner, at: site, isPrinted: true, moment: clock.now)
        return .json(
            ScannerCode(code: code, site: site, scanner: scanner, expiresAt: nil).json,
            status: 201)
    }

    private func ownPairing(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (site, scanner) = try Self.own(request)
        return .json(
            ListAnswer.json(
                try await store.list(
                    of: nil, scanner: scanner, at: site, moment: clock.now)))
    }

    private func endOwn(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (site, scanner) = try Self.own(request)
        try await store.end(of: scanner, at: site, moment: clock.now)
        return HTTPResponse(status: 204)
    }

    /// The scanner of the path, for which only its own token speaks.
    static func own(
        _ request: HTTPRequest
    ) throws(Problem) -> (site: SiteID, scanner: ScannerID) {
        guard let caller = request.caller, let device = caller.device, let site = caller.onlySite
        else { throw .deviceNotYours }
        guard request.parameters["scanner"] == device.text else {
            throw Problem(.scannerNotYours, "this token speaks for another scanner")
        }
        try request.check(at: site)
        return (site, ScannerID(device.text))
    }
}

extension PairingStore.Refusal: ClientRefusal {
    var problem: Problem {
        switch self {
        case .codeUnknown:
            Problem(
                .pairingCodeUnknown,
                "No scanner or tag of the site has this code now: it is wrong, used or expired.")
        case .slowed(let seconds):
            Problem(
                .pairingSlowed, "Too many wrong codes, or codes at once: wait.",
                retryAfterSeconds: seconds)
        case .unknown:
            Problem(.pairingUnknown, "There is no such pairing that has not ended.")
        }
    }
}
