internal import Cryptography
public import Events
internal import JSON

/// A site that a visitor opened by its link, as the visitor's session keeps it.
///
/// The session has a hash in place of the secret. So it ends with the secret that began it, and
/// does not give that away.
public struct SiteLink: Hashable, Sendable {
    public let site: SiteID
    /// 32 hexadecimal digits of a SHA-256.
    public let proof: String

    public init(to site: SiteID, secret: String) {
        self.site = site
        proof = String(sha256Hex(Array("\(site)\n\(secret)".utf8)).prefix(32))
    }

    init(reading value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        site = try fields.required("site").identifier(.siteMalformed)
        proof = try fields.required("proof").text(maximumBytes: 64)
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("site", site)
        writer.field("proof", proof)
        writer.endObject()
    }
}

/// The body of `POST /v1/session/anonymous`, which may be left out: the link that was opened.
public struct AnonymousSubmission: Sendable {
    public let site: SiteID
    public let secret: String

    public init(json body: [UInt8]) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in
            let fields = try FieldReader(WireValue(root))
            return Self(
                site: try fields.required("site").identifier(.siteMalformed),
                secret: try fields.required("link").text(maximumBytes: 256))
        }
    }

    private init(site: SiteID, secret: String) {
        self.site = site
        self.secret = secret
    }
}
