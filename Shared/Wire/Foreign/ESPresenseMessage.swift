public import Events
internal import JSON

/// A message in which a node of ESPresense says that it hears a device.
///
/// The topic is `espresense/devices/<device>/<node>`. The members that are read are `mac` (twelve
/// digits), `id`, `rssi` (dBm), `distance` (metres) and `var` (square metres); there is no time.
/// Source: ESPresense, lib/BleFingerprint/BleFingerprint.cpp, `fill` and `report`.
public enum ESPresenseMessage {
    /// ESPresense derives its distance from the strength, d = 10^((rssi@1m - rssi)/(10 n)) with
    /// n = 3.5 (src/defaults.h). `var` is that of its filter, and says nothing about walls and
    /// people in the way. With 6 dB of such shadowing the relative error is 6 ln(10)/(10 n).
    static let relativeDeviation = 0.39

    /// Reads a message.
    ///
    /// - Returns: nil for a message that tells of no single device: one of a kind of devices that
    ///   comes without their address.
    /// - Throws: a `WireFault` that contains nothing of the payload.
    public static func heard(
        topic: String, payload: [UInt8], receivedAt: Timestamp
    ) throws(WireFault) -> HeardDevice? {
        let parts = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[parts.count - 3] == "devices" else {
            throw WireFault(.foreignTopic, "the topic ends with /devices/<device>/<node>")
        }
        guard let scanner = ScannerID(foreign: String(parts[parts.count - 1])) else {
            throw WireFault(.scannerMalformed, "the topic ends with the name of a node")
        }
        return try withJSON(payload) { (root) throws(WireFault) in
            let fields = try FieldReader(WireValue(root))
            let id = try fields.optional("id")?.text(maximumBytes: HeardDevice.nameBytes)
            let mac = try fields.optional("mac")?.text(maximumBytes: 17)
            guard
                let device = device(
                    id ?? String(parts[parts.count - 2]),
                    address: mac.flatMap { HardwareAddress(foreign: $0) })
            else { return nil }
            guard let rssi = try fields.required("rssi").lenientSignal else {
                throw WireFault(.rssiOutOfRange, path: "rssi", "send -120 to 0 dBm")
            }
            return HeardDevice(
                name: device.name, isAddress: device.isAddress, scanner: scanner, at: receivedAt,
                rssi: rssi, distance: distance(fields))
        }
    }

    /// Beginnings of ids that many devices share, since they name a maker, a model or a kind of
    /// message. Only the address tells the devices apart.
    private static let kinds = [
        "ad:", "apple:", "exp:", "md:", "msft:", "name:", "samsung:", "sd:", "smarttag:",
    ]
    /// The id of a device whose identity key the node has. It is the key itself, so it is never
    /// kept; the address leads to the device where it is enrolled here.
    private static let key = "irk:"

    private static func device(
        _ id: String, address: HardwareAddress?
    ) -> (name: String, isAddress: Bool)? {
        let lower = id.lowercased()
        let isOfKind = kinds.contains { lower.hasPrefix($0) } || lower.hasPrefix(key)
        // `tile:aabbccddeeff` and other ids end with the address.
        let last = lower.split(separator: ":").last.map(String.init) ?? ""
        if let found = HardwareAddress(foreign: lower)
            ?? (isOfKind ? nil : HardwareAddress(foreign: last))
        {
            return (found.text, true)
        }
        if isOfKind { return address.map { ($0.text, true) } }
        guard !id.isEmpty, id.utf8.count <= HeardDevice.nameBytes else { return nil }
        return (id, false)
    }

    private static func distance(_ fields: FieldReader) -> MeasuredDistance? {
        guard let metres = fields.optional("distance")?.lenientNumber,
            ScanLimits.distanceMetres ~= metres
        else { return nil }
        let variance = fields.optional("var")?.lenientNumber ?? 0
        let shadowing = relativeDeviation * max(metres, 1)
        let deviation = (max(0, variance) + shadowing * shadowing).squareRoot()
        guard ScanLimits.distanceDeviation ~= deviation else { return nil }
        return MeasuredDistance(metres: metres, deviation: deviation)
    }
}
