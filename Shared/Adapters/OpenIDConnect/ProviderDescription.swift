import JSON

/// The provider's description of itself (OpenID Connect Discovery 1.0, section 3), as far as we use
/// it.
struct ProviderDescription: Sendable {
    let authorizationEndpoint: String
    let tokenEndpoint: String
    let keysAddress: String
    /// Whether the client's secret goes into the form, because the provider does not accept it as a
    /// header field. The header field is the default (section 3 again).
    let takesSecretInForm: Bool

    /// - Parameter issuer: the expected issuer. The description of another one is refused.
    init(_ body: [UInt8], issuer: String) throws(OpenIDFault) {
        let found: [String: String]?
        let methods: [String]?
        do {
            (found, methods) = try JSONParser.read(body) { root in
                var members: [String: String] = [:]
                for member in root.object.map(Array.init) ?? [] {
                    members[member.name.string] = member.value.string
                }
                let methods = root.object?["token_endpoint_auth_methods_supported"]?.array
                return (root.object == nil ? nil : members, methods?.compactMap(\.string))
            }
        } catch {
            throw OpenIDFault(.providerUnusable, "the description of \(issuer) is not JSON")
        }
        takesSecretInForm =
            methods.map { !$0.contains("client_secret_basic") && $0.contains("client_secret_post") }
            ?? false
        guard let found, found["issuer"] == issuer else {
            throw OpenIDFault(
                .providerUnusable,
                "\(issuer) calls itself \(found?["issuer"] ?? "nothing"): set the issuer to that")
        }
        authorizationEndpoint = try Self.address("authorization_endpoint", of: found)
        tokenEndpoint = try Self.address("token_endpoint", of: found)
        keysAddress = try Self.address("jwks_uri", of: found)
    }

    private static func address(
        _ name: String, of members: [String: String]
    ) throws(OpenIDFault) -> String {
        guard let address = members[name], isTrustworthy(address) else {
            throw OpenIDFault(.providerUnusable, "the provider's \(name) is not an https address")
        }
        return address
    }

    /// Whether the address can be trusted: it uses HTTPS or is on this machine.
    static func isTrustworthy(_ address: String) -> Bool {
        address.hasPrefix("https://") || address.hasPrefix("http://127.0.0.1:")
            || address.hasPrefix("http://localhost:") || address.hasPrefix("http://[::1]:")
    }
}

/// The provider's signing keys (RFC 7517, section 5).
struct ProviderKeys: Sendable {
    static let maximumKeys = 100

    let keys: [(id: String?, json: [UInt8])]

    init(_ body: [UInt8]) throws(OpenIDFault) {
        let read: [(id: String?, json: [UInt8])]?
        do {
            read = try JSONParser.read(body) { root in
                root.object?["keys"]?.array?.prefix(Self.maximumKeys).map { key in
                    var writer = JSONWriter()
                    writer.value(key)
                    return (id: key.object?["kid"]?.string, json: writer.finish())
                }
            }
        } catch {
            throw OpenIDFault(.providerUnusable, "the provider's keys are not JSON")
        }
        guard let read, !read.isEmpty else {
            throw OpenIDFault(.providerUnusable, "the provider has no keys")
        }
        keys = read
    }

    func knows(_ id: String?) -> Bool { id == nil || keys.contains { $0.id == nil || $0.id == id } }
}
