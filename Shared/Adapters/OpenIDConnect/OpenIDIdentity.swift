import Cryptography
import JSON

/// The person that a provider has identified.
public struct OpenIDIdentity: Hashable, Sendable {
    /// The person's id at the issuer. With the issuer it names one person for ever (OpenID Connect
    /// Core 1.0, section 2).
    public var subject: String
    public var name: String?
    public var email: String?
    /// Nil if the provider says nothing of them, or nothing that can be read.
    public var groups: [String]?
    /// Whether the provider has groups of the person that are too many for the token. They have to
    /// be asked for elsewhere (OpenID Connect Core 1.0, section 5.6.2), which nobody does here.
    public var hasGroupsElsewhere: Bool

    public init(
        subject: String, name: String? = nil, email: String? = nil, groups: [String]? = nil,
        hasGroupsElsewhere: Bool = false
    ) {
        self.subject = subject
        self.name = name
        self.email = email
        self.groups = groups
        self.hasGroupsElsewhere = hasGroupsElsewhere
    }
}

/// The checks of an identity token (OpenID Connect Core 1.0, section 3.1.3.7).
struct IdentityClaims {
    /// The tolerated difference between the clocks of two machines.
    static let toleratedSkewSeconds = 60.0
    static let maximumGroups = 1_000

    let identity: OpenIDIdentity

    /// - Parameters:
    ///   - payload: the content of a token with a valid signature.
    ///   - now: seconds since 1970.
    init(
        _ payload: [UInt8], issuer: String, client: String, nonce: String, groupsClaim: String,
        now: Double
    ) throws(OpenIDFault) {
        let outcome: Result<OpenIDIdentity, OpenIDFault>
        do {
            outcome = try JSONParser.read(payload) { root in
                guard let claims = root.object else {
                    return .failure(OpenIDFault(.identityRefused, "the token is not a JSON object"))
                }
                do throws(OpenIDFault) {
                    try Self.check(claims, issuer, client, nonce, now)
                    return .success(try Self.identity(of: claims, groupsClaim))
                } catch {
                    return .failure(error)
                }
            }
        } catch {
            throw OpenIDFault(.identityRefused, "the token is not JSON")
        }
        identity = try outcome.get()
    }

    private static func check(
        _ claims: JSONObject, _ issuer: String, _ client: String, _ nonce: String, _ now: Double
    ) throws(OpenIDFault) {
        guard claims["iss"]?.string == issuer else {
            throw OpenIDFault(.identityRefused, "the token is from another issuer")
        }
        let audience = texts(claims["aud"])
        guard audience.contains(client) else {
            throw OpenIDFault(.identityRefused, "the token is for another program")
        }
        if audience.count > 1 || claims["azp"] != nil {
            guard claims["azp"]?.string == client else {
                throw OpenIDFault(.identityRefused, "the token was made for another program")
            }
        }
        guard let expiry = claims["exp"]?.double, expiry > now - toleratedSkewSeconds else {
            throw OpenIDFault(.identityRefused, "the token has expired, or the clocks differ")
        }
        guard let issued = claims["iat"]?.double, issued < now + toleratedSkewSeconds else {
            throw OpenIDFault(.identityRefused, "the token is from the future: the clocks differ")
        }
        guard let sent = claims["nonce"]?.string,
            isEqualInConstantTime(Array(sent.utf8), Array(nonce.utf8))
        else { throw OpenIDFault(.identityRefused, "the token belongs to another sign-in") }
    }

    private static func identity(
        of claims: JSONObject, _ groupsClaim: String
    ) throws(OpenIDFault) -> OpenIDIdentity {
        guard let subject = claims["sub"]?.string, !subject.isEmpty, subject.utf8.count <= 255
        else { throw OpenIDFault(.identityRefused, "the token names no person") }
        var groups: [String]?
        for member in claims where member.name.string == groupsClaim {
            groups = said(member.value).map { Array($0.prefix(maximumGroups)) }
        }
        let elsewhere = claims["_claim_names"]?.object
        return OpenIDIdentity(
            subject: subject, name: claims["name"]?.string ?? claims["preferred_username"]?.string,
            email: claims["email"]?.string, groups: groups,
            hasGroupsElsewhere: elsewhere?.contains { $0.name.string == groupsClaim } ?? false)
    }

    /// The groups that a claim names: one text, or an array of texts alone. Another value, such as
    /// null, says nothing: roles must not be taken by what can't be read.
    private static func said(_ value: JSONValue) -> [String]? {
        if let text = value.string { return [text] }
        guard let array = value.array, array.allSatisfy({ $0.string != nil }) else { return nil }
        return array.compactMap(\.string)
    }

    /// The values of a claim that is one text or an array of texts.
    private static func texts(_ value: JSONValue?) -> [String] {
        guard let value else { return [] }
        if let text = value.string { return [text] }
        return value.array?.compactMap(\.string) ?? []
    }
}
