public import Events
internal import JSON

/// A body of `POST /v1/geolocate` as Google's Geolocation API and Mozilla's Ichnaea take it, as a
/// scan.
///
/// `{"wifiAccessPoints": [{"macAddress", "signalStrength", "age", "channel", "frequency", "ssid"}],
/// "bluetoothBeacons": [{"macAddress", "signalStrength", "age", "name"}]}`. Mobile cells and the
/// sender's address of the internet are not read: they don't tell where somebody is in a building.
/// Sources: developers.google.com/maps/documentation/geolocation; mozilla/ichnaea,
/// docs/api/geolocate.rst.
public enum GeolocateQuestion {
    /// As with Ichnaea: who knows one address alone must not find its place.
    private static let fewestReadings = 2

    /// Reads a body.
    ///
    /// - Returns: nil where fewer than two senders can be used. Senders without a
    ///   strength, or with a name that ends in `_nomap`, are left out.
    /// - Throws: a fault of the JSON.
    public static func submission(
        json: [UInt8], receivedAt: Timestamp
    ) throws(WireFault) -> ScanSubmission? {
        try withJSON(json) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "the body is an object")
            }
            let fields = FieldReader(object)
            var scan = ScanSubmission(at: receivedAt, receivedAt: receivedAt)
            scan.wifi = try list(fields, "wifiAccessPoints", accessPoint)
            scan.ble = try list(fields, "bluetoothBeacons", beacon)
            let senders = Set(scan.wifi.map(\.bssid)).count + Set(scan.ble.map(\.address)).count
            return senders >= fewestReadings ? scan : nil
        }
    }

    private static func list<Reading>(
        _ fields: FieldReader, _ name: StaticString, _ read: (FieldReader) -> Reading?
    ) throws(WireFault) -> [Reading] {
        guard let value = fields.optional(name) else { return [] }
        guard let array = value.json.array else {
            throw value.fault(.fieldWrongType, "an array is expected")
        }
        guard array.count <= ScanLimits.readings else {
            throw value.fault(.tooManyReadings, "send at most \(ScanLimits.readings)")
        }
        return array.compactMap { element in element.object.flatMap { read(FieldReader($0)) } }
    }

    private static func accessPoint(_ fields: FieldReader) -> WiFiReading? {
        let name = fields.optional("ssid")?.json.string
        guard let (address, rssi) = sender(fields), name?.hasSuffix("_nomap") != true else {
            return nil
        }
        return WiFiReading(
            bssid: address, rssi: rssi, frequency: frequency(fields), ageMilliseconds: age(fields))
    }

    private static func beacon(_ fields: FieldReader) -> BluetoothReading? {
        sender(fields).map { BluetoothReading(address: $0.address, rssi: $0.rssi) }
    }

    private static func sender(_ fields: FieldReader) -> (address: HardwareAddress, rssi: Int)? {
        guard let text = fields.optional("macAddress")?.json.string,
            let address = HardwareAddress(foreign: text),
            let rssi = fields.optional("signalStrength")?.lenientSignal
        else { return nil }
        return (address, rssi)
    }

    private static func age(_ fields: FieldReader) -> Int? {
        guard let age = fields.optional("age")?.json.double, 0...Double(Int32.max) ~= age else {
            return nil
        }
        return Int(age)
    }

    /// The frequency in MHz, also from a channel (IEEE 802.11-2020, 15.4.4.3, 17.3.8.4.2).
    private static func frequency(_ fields: FieldReader) -> Int? {
        if let frequency = fields.optional("frequency")?.json.int, 0...1_000_000 ~= frequency {
            return frequency > 0 ? frequency : nil
        }
        switch fields.optional("channel")?.json.int {
        case .some(let channel) where 1...13 ~= channel: return 2_407 + 5 * channel
        case 14: return 2_484
        case .some(let channel) where 32...177 ~= channel: return 5_000 + 5 * channel
        default: return nil
        }
    }
}

/// The answers of `POST /v1/geolocate`.
public enum GeolocateAnswer {
    /// The place, and the radius in metres within which the device is with 95 % probability.
    public static func place(
        latitude: Double, longitude: Double, accuracyMetres: Double
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.beginObject()
        writer.name("location")
        writer.beginObject()
        writer.field("lat", latitude)
        writer.field("lng", longitude)
        writer.endObject()
        writer.field("accuracy", accuracyMetres, decimals: 2)
        writer.endObject()
        return writer.finish()
    }

    /// An error as Google's interfaces write it, such as `geolocation`, `notFound`, 404.
    public static func error(
        domain: String, reason: String, message: String, status: Int
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.beginObject()
        writer.name("error")
        writer.beginObject()
        writer.array("errors", [reason]) { reason, writer in
            writer.beginObject()
            writer.field("domain", domain)
            writer.field("reason", reason)
            writer.field("message", message)
            writer.endObject()
        }
        writer.field("code", status)
        writer.field("message", message)
        writer.endObject()
        writer.endObject()
        return writer.finish()
    }
}
