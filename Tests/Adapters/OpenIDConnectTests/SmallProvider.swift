import CJose
import Cryptography
import Foundation
import HTTP
import HTTPClient
import Synchronization

@testable import OpenIDConnect

/// A provider's key pair, newly made by libcjose.
final class ProviderKey: Sendable {
    enum Kind: Sendable { case rsa, elliptic }

    let id: String
    private let privateJSON: String
    let publicJSON: String

    init(_ kind: Kind, id: String) {
        self.id = id
        let exponent: [UInt8] = [1, 0, 1]
        let key =
            kind == .rsa
            ? cjose_jwk_create_RSA_random(2048, exponent, exponent.count, nil)
            : cjose_jwk_create_EC_random(CJOSE_JWK_EC_P_256, nil)
        cjose_jwk_set_kid(key, id, id.utf8.count, nil)
        func json(_ includingPrivate: Bool) -> String {
            guard let text = cjose_jwk_to_json(key, includingPrivate, nil) else { return "" }
            defer { free(text) }
            return String(cString: text)
        }
        privateJSON = json(true)
        publicJSON = json(false)
        cjose_jwk_release(key)
    }

    /// Signs the payload as a compact JWS.
    func sign(_ payload: String, algorithm: String, id: String? = nil) -> String {
        let key = cjose_jwk_import(privateJSON, privateJSON.utf8.count, nil)
        defer { cjose_jwk_release(key) }
        let header = cjose_header_new(nil)
        defer { cjose_header_release(header) }
        cjose_header_set(header, "alg", algorithm, nil)
        cjose_header_set(header, "kid", id ?? self.id, nil)
        let bytes = Array(payload.utf8)
        let signature = cjose_jws_sign(key, header, bytes, bytes.count, nil)
        defer { cjose_jws_release(signature) }
        var text: UnsafePointer<CChar>?
        guard cjose_jws_export(signature, &text, nil), let text else { return "" }
        return String(cString: text)
    }
}

/// A simulated provider that answers as the test sets it. Like a real one it checks the code, the
/// redirection, the client and the verifier.
final class SmallProvider: Sendable {
    struct State: Sendable {
        var issuer = ""
        var key = ProviderKey(.rsa, id: "k1")
        var algorithm = "RS256"
        /// Claims that replace the usual ones. Nil removes a claim.
        var claims: [String: String?] = [:]
        var challenge = ""
        var nonce = ""
        var tamper: @Sendable (String) -> String = { $0 }
        var keyRequests = 0
        /// The published key, where it differs from the signing key.
        var publishedKey: ProviderKey?
        var descriptionRequests = 0
        /// Whether the provider gives no answer.
        var isAway = false
        /// The current time in seconds since 1970.
        var now = SmallProvider.now
    }

    static let now = 1_800_000_000.0
    let state = Mutex(State())

    /// Does the browser's part: visits the address and comes back with a code.
    func visit(_ address: String) {
        let query = URLComponents(string: address)?.queryItems ?? []
        func value(_ name: String) -> String { query.first { $0.name == name }?.value ?? "" }
        state.withLock {
            $0.challenge = value("code_challenge")
            $0.nonce = value("nonce")
        }
    }

    var routes: [Route] {
        [
            Route(
                .get, "/.well-known/openid-configuration",
                handler: .task { [self] _ in
                    let (issuer, isAway) = state.withLock {
                        $0.descriptionRequests += 1
                        return ($0.issuer, $0.isAway)
                    }
                    guard !isAway else { return HTTPResponse(status: 503) }
                    return .json(
                        Array(
                            """
                            {"issuer":"\(issuer)","authorization_endpoint":"\(issuer)/authorize",
                             "token_endpoint":"\(issuer)/token","jwks_uri":"\(issuer)/keys",
                             "token_endpoint_auth_methods_supported":["client_secret_post"],
                             "response_types_supported":["code"]}
                            """.utf8))
                }),
            Route(
                .get, "/keys",
                handler: .task { [self] _ in
                    let json = state.withLock {
                        $0.keyRequests += 1
                        return ($0.publishedKey ?? $0.key).publicJSON
                    }
                    return .json(Array("{\"keys\":[\(json)]}".utf8))
                }),
            Route(.post, "/token", handler: .task { [self] in token($0) }),
        ]
    }

    private func token(_ request: HTTPRequest) -> HTTPResponse {
        var parts = URLComponents()
        parts.percentEncodedQuery = String(decoding: request.body, as: UTF8.self)
        var form: [String: String] = [:]
        for item in parts.queryItems ?? [] { form[item.name] = item.value }
        return state.withLock { state in
            guard form["code"] == "good-code", form["redirect_uri"] == "http://me/back",
                form["grant_type"] == "authorization_code",
                form["client_id"] == "whereabouts", form["client_secret"] == "s ecret",
                base64URL(sha256((form["code_verifier"] ?? "").utf8)) == state.challenge
            else { return HTTPResponse(status: 400) }
            var claims: [String: String?] = [
                "iss": "\"\(state.issuer)\"", "aud": "\"whereabouts\"", "sub": "\"person-1\"",
                "exp": "\(Int(Self.now) + 300)", "iat": "\(Int(Self.now))",
                "nonce": "\"\(state.nonce)\"", "name": "\"Anna Smith\"",
                "groups": "[\"staff\",\"surveyors\"]",
            ]
            claims.merge(state.claims) { $1 }
            let members = claims.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }
            let payload = "{\(members.joined(separator: ","))}"
            let token = state.tamper(state.key.sign(payload, algorithm: state.algorithm))
            return .json(Array("{\"token_type\":\"Bearer\",\"id_token\":\"\(token)\"}".utf8))
        }
    }
}

struct Nobody: Authenticator {
    func principal(forBearer token: String) -> (any Principal)? { nil }
}

/// Runs a simulated provider and an `OpenIDProvider` that uses it.
func withProvider(
    _ change: (inout SmallProvider.State) -> Void = { _ in },
    _ body: (SmallProvider, OpenIDProvider) async throws -> Void
) async throws {
    let small = SmallProvider()
    var configuration = HTTPServerConfiguration()
    configuration.drainSeconds = 0
    let server = try HTTPServer(
        configuration: configuration, routes: small.routes, authenticator: Nobody(),
        authorizer: Anybody(),
        onUnexpected: { _ in }, onResponse: { _, _, _, _ in })
    try server.start()
    let issuer = "http://127.0.0.1:\(server.port)"
    small.state.withLock {
        $0.issuer = issuer
        change(&$0)
    }
    let client = HTTPClient()
    let provider = OpenIDProvider(
        .init(issuer: issuer, clientID: "whereabouts", clientSecret: "s ecret"), client: client,
        now: { small.state.withLock { $0.now } })
    do {
        try await body(small, provider)
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
}

extension OpenIDProvider {
    /// A complete sign-in, as with a browser.
    func signIn(
        at small: SmallProvider, code: String = "good-code", nonce: String = "n-1",
        verifier: String = "verifier-of-at-least-forty-three-characters-long"
    ) async throws(OpenIDFault) -> OpenIDIdentity {
        small.visit(
            try await authorizationAddress(
                redirect: "http://me/back", state: "s", nonce: "n-1",
                verifier: "verifier-of-at-least-forty-three-characters-long"))
        return try await identity(
            code: code, redirect: "http://me/back", nonce: nonce, verifier: verifier)
    }
}

/// Anybody may call the simulated provider.
private struct Anybody: Authorizer, AccessRule {
    func rule(for method: HTTPMethod, _ pattern: String) -> (any AccessRule)? { self }
    func refusal(of principal: (any Principal)?, parameters: [String: String]) -> Problem? { nil }
}
