import Access
import Events
import HTTP
import ServiceHost
import Wire

/// POST /v1/sites/{site}/devices/{id}/pairing-code: six digits for a tag, which can't show them
/// itself. People make them for their own tags, and editors of the whole site for any.
struct TagCodeRoutes: Sendable {
    private static let editors = RoleSet(.administratorOfSite, .administrator)

    let sites: SiteDirectory
    let clock: EventClock
    let store: PairingStore
    let devices: DeviceStore

    var all: [Route] {
        [
            Route(
                .post, "/v1/sites/{site}/devices/{id}/pairing-code", maximumBodyBytes: 1_024,
                handler: .refusing { try await makeCode($0) })
        ]
    }

    private func makeCode(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        guard let caller = request.caller else { throw Problem.tokenMissing }
        guard let id = DeviceID(validating: request.parameters["id"] ?? ""),
            let device = try await devices.device(id, of: site),
            caller.has(Self.editors, inAllOf: site)
                || caller.account != nil && device.owner == caller.account
        else { throw Problem(.deviceUnknown, "There is no such device of yours.") }
        let scanner = ScannerID(id.text)
        let (code, expiresAt) = try await store.makeCode(
            scanner, at: site, isPrinted: false, moment: clock.now)
        var response = HTTPResponse.json(
            ScannerCode(code: code, site: site, scanner: scanner, expiresAt: expiresAt).json,
            status: 201)
        response.headers.append(("cache-control", "no-store"))
        return response
    }
}
