import Events
import HTTP
import JSON
import ServiceHost
import Wire

/// /v1/tokens: administrators issue, list and revoke tokens.
struct TokenRoutes: Sendable {

    let host: Host
    let store: TokenStore

    var all: [Route] {
        [
            Route(
                .post, "/v1/tokens",
                handler: .task { try await issue($0) }),
            Route(
                .get, "/v1/tokens",
                handler: .task { try await list($0) }),
            Route(
                .delete, "/v1/tokens/{id}",
                handler: .task { try await revoke($0) }),
        ]
    }

    private func issue(_ request: HTTPRequest) async throws -> HTTPResponse {
        let order: TokenStore.Order
        do throws(WireFault) {
            order = try TokenStore.Order(json: request.body)
        } catch {
            throw Problem(400, error.code.rawValue, error.detail)
        }
        let (token, issued) = try await store.issue(order, at: host.now)
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("token", token)
        write(issued, to: &writer)
        writer.endObject()
        return .json(writer.finish(), status: 201)
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("tokens")
        writer.beginArray()
        for token in try await store.live(at: host.now) {
            writer.beginObject()
            write(token, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return .json(writer.finish())
    }

    private func revoke(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let id = EventID(request.parameters["id"] ?? ""),
            try await store.revoke(id, at: host.now)
        else { throw Problem(404, "token-unknown", "There is no such token that still holds.") }
        return HTTPResponse(status: 204)
    }

    /// Everything but the token and its hash.
    private func write(_ token: TokenIssued, to writer: inout JSONWriter) {
        writer.field("id", token.id.description)
        writer.field("role", token.role.rawValue)
        writer.field("site", token.site?.text)
        writer.field("device", token.device?.text)
        writer.field("note", token.note)
        writer.field("issuedAt", microseconds: token.issuedAt.microseconds)
        writer.field("expiresAt", microseconds: token.expiresAt?.microseconds)
        let end = host.senderBlocks.blockedUntil(token.id.description, at: host.now)
        writer.field("blockedUntil", microseconds: end?.microseconds)
    }
}

extension TokenStore.Order {
    /// Reads `{"role", "site"?, "device"?, "note"?, "expiresAt"?}`.
    init(json body: [UInt8]) throws(WireFault) {
        let read: Result<Self, WireFault>
        do {
            read = try JSONParser.read(body) { root in Self.read(root) }
        } catch let fault as JSONFault {
            throw WireFault(fault)
        } catch {
            preconditionFailure("reading throws faults of JSON only")
        }
        self = try read.get()
    }

    private static func read(_ root: JSONValue) -> Result<Self, WireFault> {
        guard let object = root.object else {
            return .failure(WireFault(.notAnObject, "an order for a token is an object"))
        }
        guard let role = object["role"]?.string.flatMap(TokenRole.init(rawValue:)) else {
            let roles = TokenRole.allCases.map(\.rawValue).joined(separator: ", ")
            return .failure(WireFault(.fieldOutOfRange, path: "role", "one of \(roles)"))
        }
        var order = Self(role: role, note: object["note"]?.string ?? "")
        if let site = object["site"], !site.isNull {
            guard let id = site.string.flatMap(SiteID.init(validating:)) else {
                return .failure(WireFault(.siteMalformed, path: "site", "this is no site's id"))
            }
            order.site = id
        }
        if let device = object["device"], !device.isNull {
            guard let id = device.string.flatMap(DeviceID.init(validating:)) else {
                return .failure(
                    WireFault(.deviceMalformed, path: "device", "this is no device's id"))
            }
            order.device = id
        }
        if let expiry = object["expiresAt"], !expiry.isNull {
            guard let microseconds = expiry.string.flatMap(RFC3339.microseconds) else {
                return .failure(
                    WireFault(.timeMalformed, path: "expiresAt", "this is no RFC 3339 time"))
            }
            order.expiresAt = Timestamp(microseconds: microseconds)
        }
        return .success(order)
    }
}
