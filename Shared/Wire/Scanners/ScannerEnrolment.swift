public import Events
internal import JSON

/// A scanner's own knowledge of its server: the answer to `POST /v1/enrolments`, and the file in
/// which the scanner keeps it.
public struct ScannerEnrolment: Hashable, Sendable {
    /// The server's address without a path, such as `https://where.example`.
    public var server: String
    public var token: String
    public var site: SiteID
    public var scanner: ScannerID
    /// The end of the token; nil where the server did not say so, as in an earlier version.
    public var expiresAt: Timestamp?

    public init(
        server: String, token: String, site: SiteID, scanner: ScannerID,
        expiresAt: Timestamp? = nil
    ) {
        self.server = server
        self.token = token
        self.site = site
        self.scanner = scanner
        self.expiresAt = expiresAt
    }

    /// Reads `{"token", "site", "scanner", "expiresAt"?}` and, in the file, `"server"`.
    ///
    /// - Parameter server: for an answer, which does not name it.
    public init(json body: [UInt8], server: String? = nil) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in
            let fields = try FieldReader(WireValue(root))
            let address: String
            if let server {
                address = server
            } else {
                address = try fields.required("server").text()
            }
            return Self(
                server: address, token: try fields.required("token").text(maximumBytes: 256),
                site: try fields.required("site").identifier(.siteMalformed),
                scanner: try fields.required("scanner").identifier(.scannerMalformed),
                expiresAt: try fields.optional("expiresAt")?.time())
        }
    }

    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("server", server)
        writer.field("token", token)
        writer.field("site", site.text)
        writer.field("scanner", scanner.text)
        writer.field("expiresAt", expiresAt)
        writer.endObject()
        return writer.finish()
    }

    /// The body of `POST /v1/enrolments`.
    public static func order(code: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("code", code)
        writer.endObject()
        return writer.finish()
    }
}
