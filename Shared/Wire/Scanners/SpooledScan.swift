public import Events
internal import JSON

/// A scan as a scanner keeps it: the JSON that it sends, without the time of sending.
public enum SpooledScan {
    /// Writes a scan. Its id is made once, so that sending it again does no harm.
    ///
    /// - Parameter request: the request that it answers; nil for none.
    public static func bytes(_ scan: ScanSubmission, request: EventID? = nil) -> [UInt8] {
        var scan = scan
        scan.sentAt = nil
        let json = scan.json
        guard let request else { return json }
        return Array("{\"request\":\"\(request)\",".utf8) + json.dropFirst()
    }

    /// Writes a report of a device that this scanner heard, as `POST /v1/sightings` takes it.
    public static func sighting(
        of address: HardwareAddress, rssi: Int, by scanner: ScannerID, at time: Timestamp
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 128)
        writer.beginObject()
        writer.field("scanner", scanner.text)
        writer.field("address", address.text)
        writer.field("at", microseconds: time.microseconds)
        writer.field("rssi", rssi)
        writer.endObject()
        return writer.finish()
    }

    /// The scan with the time of sending as its first member.
    public static func sent(_ bytes: [UInt8], at time: Timestamp) -> [UInt8] {
        var writer = JSONWriter(capacity: 64)
        writer.beginObject()
        writer.field("sentAt", microseconds: time.microseconds)
        writer.endObject()
        var head = writer.finish()
        head[head.count - 1] = UInt8(ascii: ",")
        return head + bytes.dropFirst()
    }
}
