internal import Cryptography
public import Events
public import JSON

/// A device that somebody enrols, or a change of it: the body of `POST
/// /v1/sites/{site}/devices` and of `PATCH` of one of them.
public struct DeviceSubmission: Sendable {
    private static let nameBytes = 200

    /// Nil in a change that keeps the name.
    public var name: String?
    public var identityKey: [UInt8]?
    /// Whether the body says anything about the identity key; null removes it.
    public var namesIdentityKey: Bool

    /// Reads `{"name", "identityKey"?, "address"?}`.
    ///
    /// An address that the device uses just now shows whether the key was copied well.
    public init(json body: [UInt8]) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "send a device as an object")
            }
            try object.checkMembers(["name", "identityKey", "address"])
            return try Self(object)
        }
    }

    private init(_ object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        name = try fields.optional("name")?.text(maximumBytes: Self.nameBytes)
        namesIdentityKey = object["identityKey"] != nil
        identityKey = try fields.optional("identityKey").map { value throws(WireFault) in
            guard let key = bytes(fromHexadecimal: try value.text(maximumBytes: 64).lowercased()),
                key.count == IdentityResolvingKey.byteCount
            else {
                throw value.fault(
                    .fieldOutOfRange, "an identity resolving key has 32 hex digits")
            }
            return key
        }
        guard let shown = fields.optional("address") else { return }
        let address = try shown.address(.fieldOutOfRange)
        let key = identityKey.flatMap { IdentityResolvingKey($0) }
        guard let key, IdentityResolvingKey.resolve(address.value, by: [key]) == 0 else {
            throw shown.fault(
                .fieldOutOfRange,
                "the identity key did not make this address: check it, and the order of its bytes")
        }
    }
}

/// An enrolled device, as its owner and the site's editors see it.
public struct EnrolledDevice: Hashable, Sendable, Listed {
    public static var listName: StaticString { "devices" }

    public var id: DeviceID
    public var name: String
    public var owner: AccountID?
    public var hasIdentityKey: Bool
    public var enrolledAt: Timestamp

    public init(
        id: DeviceID, name: String, owner: AccountID?, hasIdentityKey: Bool, enrolledAt: Timestamp
    ) {
        self.id = id
        self.name = name
        self.owner = owner
        self.hasIdentityKey = hasIdentityKey
        self.enrolledAt = enrolledAt
    }

    public var cursor: String? { id.text }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("name", name)
        writer.field("owner", owner?.description)
        writer.field("hasIdentityKey", hasIdentityKey)
        writer.field("enrolledAt", enrolledAt)
    }
}
