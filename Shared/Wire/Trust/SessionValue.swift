internal import Cryptography
public import Events
internal import JSON

/// A session of a person, or of a visitor without an account. Site-editor signs this value, and
/// every process checks it by itself. Sessions are not in the log.
public struct SessionValue: Hashable, Sendable {
    /// The longest session, in hours.
    public static let longestHours: Int64 = 12
    /// The beginning of the cookie's value.
    private static let prefix = "was1"
    /// The most bytes of a text that is checked at all.
    public static let maximumBytes = 1_024

    /// A random id, which names the session where there is no account.
    public var id: EventID
    /// Nil for a visitor without an account.
    public var account: AccountID?
    /// How often all sessions of the account had been ended when this one began.
    public var sessionsEnded: Int
    public var beganAt: Timestamp
    public var endsAt: Timestamp
    /// The token that a changing request must show beside the cookie, so that another site's page
    /// can't send one in the person's name.
    public var changeToken: String
    /// The link by which a visitor without an account opened a site.
    public var link: SiteLink?

    public init(
        id: EventID, account: AccountID?, sessionsEnded: Int, beganAt: Timestamp,
        endsAt: Timestamp, changeToken: String, link: SiteLink? = nil
    ) {
        self.id = id
        self.account = account
        self.sessionsEnded = sessionsEnded
        self.beganAt = beganAt
        self.endsAt = endsAt
        self.changeToken = changeToken
        self.link = link
    }

    /// The value of the cookie: `was1.<key>.<payload>.<signature>`.
    ///
    /// - Parameter sign: returns the Ed25519 signature of bytes.
    public func text(key: String, sign: ([UInt8]) -> [UInt8]) -> String {
        var writer = JSONWriter(capacity: 256)
        writer.beginObject()
        writer.field("id", id.description)
        writer.field("account", account?.description)
        writer.field("sessionsEnded", sessionsEnded)
        writer.field("beganAt", microseconds: beganAt.microseconds)
        writer.field("endsAt", microseconds: endsAt.microseconds)
        writer.field("changeToken", changeToken)
        if let link {
            writer.name("link")
            link.write(to: &writer)
        }
        writer.endObject()
        let signed = "\(Self.prefix).\(key).\(base64URL(writer.finish()))"
        return "\(signed).\(base64URL(sign(Array(signed.utf8))))"
    }

    /// The session of a cookie; nil unless one of the services' keys signed it. The end of the
    /// session is not checked here.
    ///
    /// - Parameter publicKey: returns the key with an id, if there is one.
    public init?(_ text: String, publicKey: (String) -> [UInt8]?) {
        guard text.utf8.count <= Self.maximumBytes else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == Self.prefix,
            let key = publicKey(String(parts[1])),
            let payload = bytes(fromBase64URL: parts[2].utf8),
            let signature = bytes(fromBase64URL: parts[3].utf8)
        else { return nil }
        let signed = Array(parts[0...2].joined(separator: ".").utf8)
        guard Ed25519.verifies(signature, of: signed, publicKey: key),
            let session = try? Self(payload: payload)
        else { return nil }
        self = session
    }

    private init(payload: [UInt8]) throws(WireFault) {
        self = try withJSON(payload) { (root) throws(WireFault) in
            let fields = try FieldReader(WireValue(root))
            return Self(
                id: try fields.required("id").eventID(),
                account: try fields.optional("account").map { (value) throws(WireFault) in
                    AccountID(try value.eventID())
                },
                sessionsEnded: try fields.required("sessionsEnded").integer(
                    in: 0...Int(Int32.max)),
                beganAt: try fields.required("beganAt").time(),
                endsAt: try fields.required("endsAt").time(),
                changeToken: try fields.required("changeToken").text(maximumBytes: 64),
                link: try fields.optional("link").map { (value) throws(WireFault) in
                    try SiteLink(reading: value)
                })
        }
    }
}
