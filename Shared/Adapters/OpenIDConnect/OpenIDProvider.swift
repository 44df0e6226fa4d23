import Cryptography
import Foundation
public import HTTPClient
import JSON
import WebSignatures

/// Signs people in through an OpenID provider: the code flow (OpenID Connect Core 1.0, section 3.1)
/// with PKCE (RFC 7636). The identity token comes directly from the provider over verified TLS, and
/// its signature is verified too.
public actor OpenIDProvider {
    public struct Settings: Sendable {
        /// The issuer, such as `https://sign-in.example.ac.uk/realms/staff`, exactly as the
        /// provider spells it.
        public var issuer: String
        public var clientID: String
        /// The secret. Nil for a public client, which uses only PKCE.
        public var clientSecret: String?
        /// The scopes requested in addition to `openid`.
        public var scopes: [String]
        /// The claim that lists a person's groups.
        public var groupsClaim: String

        public init(
            issuer: String, clientID: String, clientSecret: String? = nil,
            scopes: [String] = ["profile", "email"], groupsClaim: String = "groups"
        ) {
            self.issuer = issuer
            self.clientID = clientID
            self.clientSecret = clientSecret
            self.scopes = scopes
            self.groupsClaim = groupsClaim
        }
    }

    /// How long the description and the keys are used before they are fetched again.
    private static let freshSeconds = 3600.0
    /// An unknown key triggers a fetch, but not more often than this: strangers can send any key
    /// id.
    private static let keysAskedAgainSeconds = 60.0
    private static let timeoutSeconds = 10.0
    /// After a failure the provider is asked again only after this time, for all sign-ins.
    private static let failureRememberedSeconds = 5.0

    private let settings: Settings
    private let client: HTTPClient
    private let now: @Sendable () -> Double
    private var description: (value: ProviderDescription, at: Double)?
    private var keys: (value: ProviderKeys, at: Double)?
    private var failure: (fault: OpenIDFault, at: Double)?
    /// The running request for the description. All callers that need it wait for its answer.
    private var question: Task<Result<ProviderDescription, OpenIDFault>, Never>?

    /// - Parameter now: seconds since 1970.
    public init(_ settings: Settings, client: HTTPClient, now: @escaping @Sendable () -> Double) {
        self.settings = settings
        self.client = client
        self.now = now
    }

    /// Whether a provider at this address may be used: it needs TLS or must run on this machine.
    public static func isTrustworthy(issuer: String) -> Bool {
        ProviderDescription.isTrustworthy(issuer)
    }

    /// The provider's address to which the browser is sent.
    ///
    /// - Parameters:
    ///   - redirect: the address to which the provider sends the browser back.
    ///   - state, nonce: random values for this one sign-in.
    ///   - verifier: random, 43 to 128 characters. Only its hash is sent here.
    public func authorizationAddress(
        redirect: String, state: String, nonce: String, verifier: String
    ) async throws(OpenIDFault) -> String {
        let endpoint = try await described().authorizationEndpoint
        let query = Self.form([
            ("response_type", "code"), ("client_id", settings.clientID),
            ("redirect_uri", redirect),
            ("scope", (["openid"] + settings.scopes).joined(separator: " ")), ("state", state),
            ("nonce", nonce), ("code_challenge", base64URL(sha256(verifier.utf8))),
            ("code_challenge_method", "S256"),
        ])
        return endpoint + (endpoint.contains("?") ? "&" : "?") + query
    }

    /// The person that the provider identifies for a code that the browser brought back.
    public func identity(
        code: String, redirect: String, nonce: String, verifier: String
    ) async throws(OpenIDFault) -> OpenIDIdentity {
        let answer = try await exchange(code, redirect, verifier)
        let signature: JSONWebSignature
        let payload: [UInt8]
        do {
            signature = try JSONWebSignature(answer)
            payload = try signature.payload(keys: try await signingKeys(for: signature.keyID))
        } catch let fault as OpenIDFault {
            throw fault
        } catch {
            throw OpenIDFault(.identityRefused, "the token's signature: \(error)")
        }
        return try IdentityClaims(
            payload, issuer: settings.issuer, client: settings.clientID, nonce: nonce,
            groupsClaim: settings.groupsClaim, now: now()
        ).identity
    }

    /// The identity token that the provider returns for the code.
    private func exchange(
        _ code: String, _ redirect: String, _ verifier: String
    ) async throws(OpenIDFault) -> String {
        var fields = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect),
            ("code_verifier", verifier),
        ]
        var headers: [(name: String, value: String)] = [
            ("content-type", "application/x-www-form-urlencoded"), ("accept", "application/json"),
        ]
        let description = try await described()
        if let secret = settings.clientSecret, !description.takesSecretInForm {
            // client_secret_basic (RFC 6749, section 2.3.1).
            let pair = Self.escaped(settings.clientID) + ":" + Self.escaped(secret)
            headers.append(
                ("authorization", "Basic " + Data(pair.utf8).base64EncodedString()))
        } else {
            fields.append(("client_id", settings.clientID))
            if let secret = settings.clientSecret { fields.append(("client_secret", secret)) }
        }
        let response = try await send(
            "POST", description.tokenEndpoint, headers: headers,
            body: Array(Self.form(fields).utf8))
        guard response.status == 200 else {
            guard (400..<500).contains(response.status) else {
                throw OpenIDFault(
                    .providerUnreachable, "the token endpoint answered \(response.status)")
            }
            throw OpenIDFault(.codeRefused, "the token endpoint answered \(response.status)")
        }
        let token = try? JSONParser.read(response.body) { $0.object?["id_token"]?.string }
        guard let token = token ?? nil else {
            throw OpenIDFault(.providerUnusable, "the token endpoint returned no id_token")
        }
        return token
    }

    private func described() async throws(OpenIDFault) -> ProviderDescription {
        if let description, now() - description.at < Self.freshSeconds { return description.value }
        if let failure, now() - failure.at < Self.failureRememberedSeconds { throw failure.fault }
        let asked = question ?? Task { await describe() }
        question = asked
        return try await asked.value.get()
    }

    private func describe() async -> Result<ProviderDescription, OpenIDFault> {
        defer { question = nil }
        do throws(OpenIDFault) {
            let value = try await fetchDescription()
            description = (value, now())
            failure = nil
            return .success(value)
        } catch {
            failure = (error, now())
            return .failure(error)
        }
    }

    private func fetchDescription() async throws(OpenIDFault) -> ProviderDescription {
        let root = settings.issuer.hasSuffix("/") ? settings.issuer : settings.issuer + "/"
        let response = try await send("GET", root + ".well-known/openid-configuration")
        guard response.status == 200 else {
            throw OpenIDFault(
                .providerUnreachable, "the provider's description answered \(response.status)")
        }
        return try ProviderDescription(response.body, issuer: settings.issuer)
    }

    private func signingKeys(
        for id: String?
    ) async throws(OpenIDFault) -> [(id: String?, json: [UInt8])] {
        if let keys {
            let age = now() - keys.at
            let isEnough = keys.value.knows(id) || age < Self.keysAskedAgainSeconds
            if isEnough, age < Self.freshSeconds { return keys.value.keys }
        }
        let response = try await send("GET", try await described().keysAddress)
        guard response.status == 200 else {
            throw OpenIDFault(
                .providerUnreachable, "the provider's keys answered \(response.status)")
        }
        let value = try ProviderKeys(response.body)
        keys = (value, now())
        return value.keys
    }

    private func send(
        _ method: String, _ address: String, headers: [(name: String, value: String)] = [],
        body: [UInt8] = []
    ) async throws(OpenIDFault) -> HTTPClientResponse {
        do throws(HTTPClientError) {
            return try await client.send(
                method, address, headers: headers, body: body,
                timeoutSeconds: Self.timeoutSeconds)
        } catch {
            throw OpenIDFault(.providerUnreachable, "\(address): \(error.reason)")
        }
    }

    /// Encodes fields as `application/x-www-form-urlencoded`. It escapes at least every character
    /// that needs it.
    private static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\(escaped($0.0))=\(escaped($0.1))" }.joined(separator: "&")
    }

    private static func escaped(_ text: String) -> String {
        let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}
