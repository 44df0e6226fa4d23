public import Events
import JSON

/// A request for a token: the body of `POST /v1/tokens`.
public struct TokenOrder: Sendable {
    public var role: TokenRole
    public var site: SiteID?
    public var buildings: [BuildingID] = []
    public var device: DeviceID?
    public var note: String
    /// Nil for the role's usual end.
    public var expiresAt: Timestamp?
    /// The public half of an Ed25519 key, in hex.
    public var signingKey: String?
    public var quota: TokenQuota?

    public init(
        role: TokenRole, site: SiteID? = nil, device: DeviceID? = nil, note: String = "",
        expiresAt: Timestamp? = nil
    ) {
        self.role = role
        self.site = site
        self.device = device
        self.note = note
        self.expiresAt = expiresAt
    }
}

extension TokenOrder {
    /// Reads `{"role", "site"?, "buildings"?, "device"?, "note"?, "expiresAt"?, "signingKey"?,
    /// "quota"?}`.
    public init(json body: [UInt8]) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in try Self(root) }
    }

    /// The text of a member; empty where the request has none.
    private static func text(_ value: JSONValue?, _ path: String) throws(WireFault) -> String {
        guard let value, !value.isNull else { return "" }
        guard let text = value.string else {
            throw WireFault(.fieldWrongType, path: path, "text is expected")
        }
        guard !text.utf8.contains(0) else {
            throw WireFault(
                .textMalformed, path: path, "leave U+0000 out of the text: it can't be stored")
        }
        return text
    }

    private init(_ root: JSONValue) throws(WireFault) {
        guard let object = root.object else {
            throw WireFault(.notAnObject, "send the request for a token as an object")
        }
        try object.checkMembers([
            "role", "site", "buildings", "device", "note", "expiresAt", "signingKey", "quota",
        ])
        guard let role = object["role"]?.string.flatMap(TokenRole.init(rawValue:)) else {
            let roles = TokenRole.allCases.map(\.rawValue).joined(separator: ", ")
            throw WireFault(.fieldOutOfRange, path: "role", "one of \(roles)")
        }
        self.init(role: role, note: try Self.text(object["note"], "note"))
        site = try Self.identifier(object["site"], .siteMalformed, "site", SiteID.init(validating:))
        device = try Self.identifier(
            object["device"], .deviceMalformed, "device", DeviceID.init(validating:))
        buildings = try FieldReader(object).grantedBuildings()
        if let expiry = object["expiresAt"], !expiry.isNull {
            guard let moment = expiry.string.flatMap(Timestamp.init(text:)) else {
                throw WireFault(.timeMalformed, path: "expiresAt", "this is not an RFC 3339 time")
            }
            expiresAt = moment
        }
        if let key = object["signingKey"], !key.isNull {
            guard let text = key.string else {
                throw WireFault(.fieldWrongType, path: "signingKey", "text is expected")
            }
            signingKey = text.lowercased()
        }
        if let said = object["quota"], !said.isNull {
            guard let members = said.object else {
                throw WireFault(.fieldWrongType, path: "quota", "an object is expected")
            }
            try members.checkMembers(["recordsPerSecond", "burst", "bytesPerSecond"])
            quota = try TokenQuota(reading: members)
        }
    }

    private static func identifier<ID>(
        _ value: JSONValue?, _ code: WireFault.Code, _ path: String, _ make: (String) -> ID?
    ) throws(WireFault) -> ID? {
        guard let value, !value.isNull else { return nil }
        guard let id = value.string.flatMap(make) else {
            throw WireFault(code, path: path, "an id is 1 to 64 of A-Z a-z 0-9 . _ -")
        }
        return id
    }
}
