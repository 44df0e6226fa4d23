public import Events
internal import JSON

/// A post of Cisco Meraki's Scanning API, version 3: the devices that the access points of a
/// network heard in the last minute.
///
/// `{version, secret, type, data: {networkId, observations: [{clientMac, locations: [{time,
/// rssiRecords: [{apMac, rssi}]}], latestRecord: {time, nearestApMac, nearestApRssi}}]}}`, with
/// `type` `WiFi` or `BLE` (also seen as `Bluetooth`). `latestRecord` counts where there are no
/// recent locations. Names, networks, addresses of the internet and Meraki's own positions are not
/// read. Source: developer.cisco.com/meraki/scanning-api/3-0, "Observation Payloads".
public struct MerakiPost: Sendable {
    /// A post of this many records is refused; a network has some thousand devices.
    static let mostRecords = 200_000
    /// Older figures of Meraki are dB above this floor, in dBm ("subtract 95 to get units in
    /// dBm", version 1.0).
    private static let noiseFloor = -95

    public private(set) var heard: [HeardDevice] = []
    /// The observations and records that could not be read, and were left out.
    public private(set) var leftOut = 0

    /// Reads a post.
    ///
    /// - Parameter isSecret: whether the post's secret is the one that was agreed on. Nothing else
    ///   is read before.
    /// - Throws: `foreign-secret-wrong`, `foreign-version` for another version or type, or a fault
    ///   of the JSON. One bad observation is left out instead, since Meraki sends nothing twice.
    public init(
        json: [UInt8], receivedAt: Timestamp, isSecret: (String) -> Bool
    ) throws(WireFault) {
        self = try withJSON(json) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "a post is an object")
            }
            let fields = FieldReader(object)
            guard let secret = try? fields.required("secret").text(maximumBytes: 1_024),
                isSecret(secret)
            else {
                throw WireFault(.foreignSecretWrong, "the secret is not the one of this site")
            }
            return try MerakiPost(fields, receivedAt)
        }
    }

    private init(_ fields: FieldReader, _ receivedAt: Timestamp) throws(WireFault) {
        let version = fields.optional("version")?.json
        let number = version?.string ?? version?.double.map { String(Int(max(-1e6, min(1e6, $0)))) }
        guard let number, number == "3" || number.hasPrefix("3.") else {
            throw WireFault(.foreignVersion, path: "version", "version 3 is expected")
        }
        let type = try fields.required("type").text(maximumBytes: 64)
        guard ["WiFi", "BLE", "Bluetooth"].contains(type) else {
            throw WireFault(.foreignVersion, path: "type", "WiFi or BLE is expected")
        }
        let data = try FieldReader(fields.required("data"))
        guard let observations = try data.required("observations").json.array else {
            throw WireFault(.fieldWrongType, path: "data.observations", "an array is expected")
        }
        for observation in observations { try read(WireValue(observation), receivedAt) }
    }

    private mutating func read(
        _ observation: WireValue, _ receivedAt: Timestamp
    ) throws(WireFault) {
        guard let fields = try? FieldReader(observation),
            let text = try? fields.required("clientMac").text(maximumBytes: HeardDevice.nameBytes),
            let device = HardwareAddress(foreign: text)
        else {
            leftOut += 1
            return
        }
        let before = heard.count
        if let locations = fields.optional("locations")?.json.array {
            for location in locations { try add(WireValue(location), of: device, receivedAt) }
        }
        guard heard.count == before, let latest = fields.optional("latestRecord") else { return }
        guard let record = try? FieldReader(latest) else {
            leftOut += 1
            return
        }
        try add(
            record, "nearestApMac", "nearestApRssi", of: device, at: record.optional("time"),
            receivedAt)
    }

    private mutating func add(
        _ location: WireValue, of device: HardwareAddress, _ receivedAt: Timestamp
    ) throws(WireFault) {
        guard let fields = try? FieldReader(location) else {
            leftOut += 1
            return
        }
        guard let records = fields.optional("rssiRecords")?.json.array else { return }
        let time = fields.optional("time")
        for record in records {
            guard let record = record.object.map(FieldReader.init) else {
                leftOut += 1
                continue
            }
            try add(record, "apMac", "rssi", of: device, at: time, receivedAt)
        }
    }

    private mutating func add(
        _ record: FieldReader, _ accessPoint: StaticString, _ strength: StaticString,
        of device: HardwareAddress, at time: WireValue?, _ receivedAt: Timestamp
    ) throws(WireFault) {
        guard heard.count + leftOut < Self.mostRecords else {
            throw WireFault(.batchTooLarge, "send at most \(Self.mostRecords) records at once")
        }
        let latest = receivedAt.advanced(byMicroseconds: ScanLimits.futureMicroseconds)
        guard let text = record.optional(accessPoint)?.json.string,
            let scanner = HardwareAddress(foreign: text),
            let rssi = Self.signal(record.optional(strength)),
            let at = try? time?.time(), at.microseconds >= ScanLimits.earliestMicroseconds,
            at <= latest
        else {
            leftOut += 1
            return
        }
        heard.append(
            HeardDevice(
                name: device.text, isAddress: true,
                scanner: ScannerID(scanner.identifier), at: at, rssi: rssi))
    }

    /// The strength in dBm; nil where it can't be one.
    private static func signal(_ value: WireValue?) -> Int? {
        guard let number = value?.lenientNumber, abs(number) <= 1_000 else { return nil }
        let rounded = Int(number.rounded())
        let strength = rounded > 0 ? rounded + noiseFloor : rounded
        return ScanLimits.rssi.contains(strength) ? strength : nil
    }
}
