public import Events
internal import JSON

/// The body of `POST /v1/sites/{site}/enrolment-codes`.
public struct EnrolmentOrder: Sendable {
    /// The token that the code stands for, without its site.
    public var token: TokenOrder

    /// Reads `{"scanner", "role"?, "buildings"?, "note"?}`.
    public init(json body: [UInt8]) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "an order is an object")
            }
            try object.checkMembers(["scanner", "role", "buildings", "note"])
            return try EnrolmentOrder(FieldReader(object))
        }
    }

    private enum Choice: String, CaseIterable { case scanner, device }

    private init(_ fields: FieldReader) throws(WireFault) {
        let role: Choice = try fields.optional("role")?.choice() ?? .scanner
        token = TokenOrder(
            role: role == .scanner ? .scanner : .device,
            device: try fields.required("scanner").identifier(.scannerMalformed),
            note: try fields.optional("note")?.text() ?? "")
        token.buildings = try fields.grantedBuildings()
    }
}

/// A body with a code: of `POST /v1/enrolments` and `POST /v1/sites/{site}/pairings`.
public struct CodeSubmission: Sendable {
    public var code: String

    public init(json body: [UInt8]) throws(WireFault) {
        code = try shownCode(body, among: ["code"])
    }
}

/// The code in the answer of `POST /v1/scanners/{scanner}/pairing-code`.
public struct CodeAnswer: Sendable {
    public let code: String

    public init(json body: [UInt8]) throws(WireFault) { code = try shownCode(body, among: nil) }
}

/// Reads the code in an object.
///
/// - Parameter known: the only members that the object may have; nil for any.
private func shownCode(_ body: [UInt8], among known: Set<String>?) throws(WireFault) -> String {
    try withJSON(body) { (root) throws(WireFault) -> String in
        guard let object = root.object else {
            throw WireFault(.notAnObject, "send the code as a member of an object")
        }
        if let known { try object.checkMembers(known) }
        return try FieldReader(object).required("code").text(maximumBytes: 64)
    }
}

/// A code as it is shown once.
public struct ScannerCode: Sendable {
    var code: String
    var site: SiteID
    var scanner: ScannerID
    var expiresAt: Timestamp?

    public init(code: String, site: SiteID, scanner: ScannerID, expiresAt: Timestamp?) {
        self.code = code
        self.site = site
        self.scanner = scanner
        self.expiresAt = expiresAt
    }

    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("code", code)
        writer.field("site", site)
        writer.field("scanner", scanner)
        writer.field("expiresAt", expiresAt)
        writer.endObject()
        return writer.finish()
    }
}

/// The token of an enrolled scanner.
public struct EnrolmentAnswer: Sendable {
    private let token: String
    private let issued: TokenIssued

    public init(token: String, _ issued: TokenIssued) {
        self.token = token
        self.issued = issued
    }

    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("token", token)
        writer.field("site", issued.site)
        writer.field("scanner", issued.device)
        writer.field("role", issued.role.rawValue)
        writer.field("expiresAt", issued.expiresAt)
        writer.endObject()
        return writer.finish()
    }
}
