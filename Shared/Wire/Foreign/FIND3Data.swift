public import Events
internal import JSON

/// A body of FIND3's `POST /data` as a scan, or as a survey where it names a location.
///
/// `{"d": device, "f": family, "t": milliseconds since 1970, "l": location, "s": {"bluetooth":
/// {address: dBm}, "wifi": {address: dBm}}, "gps": {"lat", "lon", "alt"}}`. The family is the site.
/// The time identifies a device's scan.
/// Other kinds of sensors are not read. FIND3 turns its names to lower case; here they stay.
/// Source: schollz/find3, server/main/src/models/sensorData.go.
public enum FIND3Data {
    /// Reads a body.
    ///
    /// - Parameters:
    ///   - site: the site of the sender's token, where the body names none.
    ///   - device: the device of the sender's token, where the body names none.
    /// - Throws: a `WireFault`; names are those of FIND3's members.
    public static func submission(
        json: [UInt8], receivedAt: Timestamp, site: SiteID? = nil, device: DeviceID? = nil
    ) throws(WireFault) -> ScanSubmission {
        try withJSON(json) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "the body is an object")
            }
            let fields = FieldReader(object)
            var scan = ScanSubmission(
                at: try time(fields, receivedAt) ?? receivedAt, receivedAt: receivedAt)
            scan.site = try identifier(fields, "f", .siteMalformed) ?? site
            scan.device = try identifier(fields, "d", .deviceMalformed) ?? device
            scan.scanner = scan.device.map { ScannerID($0.text) }
            if let number = fields.optional("t")?.json.int, number > 0, let site = scan.site,
                let device = scan.device
            {
                scan.id = EventID(find3: site.text, device.text, milliseconds: number)
            }
            scan.place = try identifier(fields, "l", .identifierMalformed).map { .location($0) }
            if let sensors = fields.optional("s") {
                let sensors = try FieldReader(sensors)
                scan.wifi = try readings(sensors, "wifi") {
                    WiFiReading(bssid: $0, rssi: $1)
                }
                scan.ble = try readings(sensors, "bluetooth") {
                    BluetoothReading(address: $0, rssi: $1)
                }
            }
            scan.gnss = fields.optional("gps").flatMap(fix)
            guard !scan.content.saysNothing else { throw nothingHeard(in: fields) }
            return scan
        }
    }

    /// The fault of a body without a reading: some may have been sent, but none can be read.
    private static func nothingHeard(in fields: FieldReader) -> WireFault {
        let sensors = fields.optional("s")?.json.object
        for name in ["wifi", "bluetooth"] as [StaticString] {
            guard let first = sensors?[name]?.object?.first(where: { _ in true }) else { continue }
            return WireFault(
                .nothingHeard, path: "s.\(name).\(first.name.string.prefix(64))",
                "none of the readings can be used: write an address and -120 to 0 dBm")
        }
        if fields.optional("gps") != nil {
            return WireFault(.nothingHeard, path: "gps", "it has no fix")
        }
        return WireFault(.nothingHeard, path: "s", "send wifi, bluetooth or gps")
    }

    /// A time of 0 stands for none.
    private static func time(
        _ fields: FieldReader, _ receivedAt: Timestamp
    ) throws(WireFault) -> Timestamp? {
        guard let value = fields.optional("t") else { return nil }
        let milliseconds = try value.integer(in: 0...Int(Int64.max / 1_000))
        guard milliseconds > 0 else { return nil }
        let at = Timestamp(microseconds: Int64(milliseconds) * 1_000)
        let latest = receivedAt.advanced(byMicroseconds: ScanLimits.futureMicroseconds)
        guard at.microseconds >= ScanLimits.earliestMicroseconds, at <= latest else {
            throw WireFault(
                .timeOutOfRange, path: "t",
                "it is before 2000 or over an hour ahead; milliseconds since 1970 are expected")
        }
        return at
    }

    /// An empty name stands for none.
    private static func identifier<Identifier: TextIdentifier>(
        _ fields: FieldReader, _ name: StaticString, _ code: WireFault.Code
    ) throws(WireFault) -> Identifier? {
        guard let text = try fields.optional(name)?.text(maximumBytes: 512),
            !text.allSatisfy(\.isWhitespace)
        else { return nil }
        guard let identifier = Identifier(foreign: text) else {
            throw WireFault(code, path: "\(name)", "use 1 to 64 of A-Z a-z 0-9 . _ -")
        }
        return identifier
    }

    /// The readings of one kind of sensor. Members without an address or a
    /// strength are left out.
    private static func readings<Reading>(
        _ sensors: FieldReader, _ name: StaticString, _ make: (HardwareAddress, Int) -> Reading
    ) throws(WireFault) -> [Reading] {
        guard let value = sensors.optional(name) else { return [] }
        guard let heard = value.json.object else {
            throw WireFault(.fieldWrongType, path: "s.\(name)", "an object is expected")
        }
        var readings: [Reading] = []
        for member in heard {
            guard let address = HardwareAddress(foreign: member.name.string),
                let rssi = WireValue(member.value).lenientSignal
            else { continue }
            guard readings.count < ScanLimits.readings else {
                throw WireFault(
                    .tooManyReadings, path: "s.\(name)",
                    "send at most \(ScanLimits.readings) readings of a kind")
            }
            readings.append(make(address, rssi))
        }
        return readings
    }

    /// FIND3 writes zeros where there is no fix.
    private static func fix(_ value: WireValue) -> SatelliteFix? {
        guard let fields = try? FieldReader(value),
            let latitude = fields.optional("lat")?.json.double, abs(latitude) <= 90,
            let longitude = fields.optional("lon")?.json.double, abs(longitude) <= 180,
            latitude != 0 || longitude != 0
        else { return nil }
        return SatelliteFix(latitude: latitude, longitude: longitude)
    }

    /// The answer of FIND3's server. Its senders look at `success` and show `message`.
    public static func answer(isSuccess: Bool, message: String) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.beginObject()
        writer.field("success", isSuccess)
        writer.field("message", message)
        writer.endObject()
        return writer.finish()
    }
}
