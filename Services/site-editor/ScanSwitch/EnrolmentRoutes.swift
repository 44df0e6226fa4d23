import Events
import HTTP
import ServiceHost
import Site
import Wire

/// Codes by which scanners get their tokens: administrators make them, scanners use them.
struct EnrolmentRoutes: Sendable {
    /// How long an answer waits until this process has read the token from the log.
    private static let patience = Duration.seconds(2)

    let sites: SiteDirectory
    let clock: EventClock
    let security: SecurityLog
    let store: EnrolmentStore
    let tries = WrongTries()

    var all: [Route] {
        [
            Route(
                .post, "/v1/sites/{site}/enrolment-codes", maximumBodyBytes: 8_192,
                handler: .refusing { try await make($0) }),
            Route(
                .post, "/v1/enrolments", maximumBodyBytes: 1_024,
                handler: .refusing { try await enrol($0) }),
        ]
    }

    private func make(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let caller = request.caller else { throw Problem.tokenMissing }
        guard let site = SiteID(validating: request.parameters["site"] ?? "") else {
            throw Problem(.siteMalformed, "A site's id has 1 to 64 of A-Z a-z 0-9 . _ -")
        }
        try request.check(at: site)
        var order = try request.read(EnrolmentOrder.init(json:)).token
        order.site = site
        // A site that is only a draft so far is not compared.
        if let index = sites[whole: site]?.index,
            let unknown = order.buildings.first(where: { index.building($0) == nil })
        {
            throw Problem(
                .fieldOutOfRange, "buildings: the published site has no building \(unknown).")
        }
        let end = caller.account == nil ? caller.expiresAt : nil
        let (code, expiresAt) = try await store.make(
            order, by: .init(id: caller.id, grants: caller.grants, expiresAt: end), at: clock.now)
        let scanner = order.device?.text ?? ""
        security.note(
            .enrolmentCodeMade, by: request, ["site": site.text, "scanner": scanner])
        return .json(
            ScannerCode(
                code: code, site: site, scanner: ScannerID(scanner), expiresAt: expiresAt
            ).json, status: 201)
    }

    private func enrol(_ request: HTTPRequest) async throws -> HTTPResponse {
        let now = clock.now
        let address = request.senderText
        let code = try request.read(CodeSubmission.init(json:)).code
        if let seconds = tries.begin(address, at: now) {
            throw Problem(
                .enrolmentSlowed, "Too many wrong codes, or codes at once, came from this address.",
                retryAfterSeconds: seconds)
        }
        let redeemed: (token: String, issued: TokenIssued)
        do {
            redeemed = try await store.redeem(code, at: now)
        } catch EnrolmentStore.Refusal.unknown {
            tries.end(address, wasWrong: true, at: now)
            security.note(.enrolmentFailed, by: request, ["address": address])
            throw EnrolmentStore.Refusal.unknown
        } catch {
            tries.end(address, wasWrong: false, at: now)
            throw error
        }
        tries.end(address, wasWrong: false, at: now)
        let issued = redeemed.issued
        security.note(
            .scannerEnrolled, by: request,
            [
                "token": issued.id.description, "site": issued.site?.text ?? "",
                "scanner": issued.device?.text ?? "", "address": address,
            ])
        await store.directory.wait(atMost: Self.patience) { $0.knows(hash: issued.hash) }
        return .json(EnrolmentAnswer(token: redeemed.token, issued).json, status: 201)
    }
}

extension EnrolmentStore.Refusal: ClientRefusal {
    var problem: Problem {
        switch self {
        case .tooMany:
            Problem(
                .tooManyInvitations, "Too many codes of the site are open: wait ten minutes.")
        case .unknown:
            Problem(
                .enrolmentCodeUnknown,
                "This code is wrong, was used, or has expired: ask an administrator for another.")
        }
    }
}
