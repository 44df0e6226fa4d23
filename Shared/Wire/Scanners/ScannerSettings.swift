public import Events
internal import JSON
public import Site

/// A site's wishes for a scanner: the answer to `GET /v1/scanners/{scanner}/settings`, and the file
/// in which the scanner keeps it.
public struct ScannerSettings: Hashable, Sendable {
    /// Changes with each change of the others.
    public var tag: String
    /// Access points that the site uses, and those that it doesn't.
    public var accessPoints: AccessPointRules
    /// Access points whose places the site states. No rule excludes them.
    public var placed: Set<HardwareAddress>
    /// The UUIDs of the site's beacons; empty where it has none.
    public var uuids: Set<EventID>
    /// Whether the scanner reports other people's devices, too.
    public var isNode: Bool

    /// The settings of a scanner about which nothing is known.
    public static let none = ScannerSettings(
        tag: "", accessPoints: AccessPointRules(), placed: [], uuids: [], isNode: false)

    private init(
        tag: String, accessPoints: AccessPointRules, placed: Set<HardwareAddress>,
        uuids: Set<EventID>, isNode: Bool
    ) {
        self.tag = tag
        self.accessPoints = accessPoints
        self.placed = placed
        self.uuids = uuids
        self.isNode = isNode
    }

    public init(_ document: SiteDocument, version: Int, isNode: Bool) {
        self.init(
            tag: Self.tag(version: version, isNode: isNode), accessPoints: document.accessPoints,
            placed: Set(document.accessPointPlaces.map(\.address)),
            uuids: Set(document.beacons.compactMap(\.uuid)), isNode: isNode)
    }

    /// Alike in all copies of site-editor.
    public static func tag(version: Int, isNode: Bool) -> String {
        isNode ? "\(version)-node" : "\(version)"
    }

    /// Reads `{"tag", "accessPoints"?, "placed"?, "uuids"?, "node"?}`.
    public init(json body: [UInt8]) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in
            let fields = try FieldReader(WireValue(root))
            var rules = AccessPointRules()
            if let value = fields.optional("accessPoints") {
                rules = try AccessPointRules(reading: value)
            }
            return Self(
                tag: try fields.required("tag").text(maximumBytes: 64), accessPoints: rules,
                placed: Set(
                    try fields.elements("placed") { (value) throws(WireFault) in
                        try value.address(.bssidMalformed)
                    }),
                uuids: Set(
                    try fields.elements("uuids") { (value) throws(WireFault) in
                        try value.eventID()
                    }),
                isNode: try fields.optional("node")?.bool() ?? false)
        }
    }

    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("tag", tag)
        writer.name("accessPoints")
        writer.beginObject()
        accessPoints.writeMembers(to: &writer)
        writer.endObject()
        writer.array("placed", placed.sorted().map(\.text))
        writer.array("uuids", uuids.sorted().map(\.description))
        writer.field("node", isNode)
        writer.endObject()
        return writer.finish()
    }

    /// Whether the site has no use for a reading of this access point. The server knows more access
    /// points by their names of former scans, so those without a name pass where a name may decide.
    public func leavesOut(_ reading: WiFiReading) -> Bool {
        if placed.contains(reading.bssid) || accessPoints.isEmpty { return false }
        if let name = reading.ssid, !name.isEmpty {
            return !accessPoints.allows(reading.bssid, networks: [name])
        }
        if accessPoints.deny.contains(where: { $0.fits(reading.bssid) }) { return true }
        return !accessPoints.allow.isEmpty
            && !accessPoints.allow.contains { rule in
                if case .network = rule { true } else { rule.fits(reading.bssid) }
            }
    }
}

/// The answer to a scanner's health: the tag of the settings that hold now.
public enum ScannerHealthAnswer {
    public static func json(settings tag: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("settings", tag)
        writer.endObject()
        return writer.finish()
    }

    /// The tag; nil where the answer has none.
    public static func tag(json body: [UInt8]) -> String? {
        try? withJSON(body) { (root) throws(WireFault) in
            try FieldReader(WireValue(root)).required("settings").text(maximumBytes: 64)
        }
    }
}
