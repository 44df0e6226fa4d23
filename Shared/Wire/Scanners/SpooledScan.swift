public import Events
internal import JSON

/// A scan as a scanner keeps it: the JSON that it sends, without the time of sending, and perhaps
/// with the clock of its times.
public enum SpooledScan {
    /// Writes a scan. Its id is made once, so that sending it again does no harm.
    ///
    /// - Parameters:
    ///   - request: the request that it answers; nil for none.
    ///   - clock: the clock of its time; nil where the clock is not known.
    public static func bytes(
        _ scan: ScanSubmission, request: EventID? = nil, clock: SpoolClock? = nil
    ) -> [UInt8] {
        var scan = scan
        scan.sentAt = nil
        var json = scan.json
        if let request {
            json = Array("{\"request\":\"\(request)\",".utf8) + json.dropFirst()
        }
        return clock?.note(in: json) ?? json
    }

    /// Writes a report of a device that this scanner heard, as `POST /v1/sightings` takes it.
    public static func sighting(
        of address: HardwareAddress, rssi: Int, by scanner: ScannerID, at time: Timestamp,
        clock: SpoolClock? = nil
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 128)
        writer.beginObject()
        writer.field("scanner", scanner.text)
        writer.field("address", address.text)
        writer.field("at", microseconds: time.microseconds)
        writer.field("rssi", rssi)
        writer.endObject()
        let json = writer.finish()
        return clock?.note(in: json) ?? json
    }

    /// The scan with the time of sending as its first member, by the clock of the scan's own time.
    /// That time stays as it is, since a scan that is sent twice must have one content.
    ///
    /// - Parameter clock: the clock by which it is sent; nil where the clock is not known.
    public static func sent(
        _ bytes: [UInt8], at time: Timestamp, clock: SpoolClock? = nil
    ) -> [UInt8] {
        let (scanned, bytes) = SpoolClock.separate(bytes)
        let sentAt = scanned?.shown(at: time, by: clock) ?? time
        var writer = JSONWriter(capacity: 64)
        writer.beginObject()
        writer.field("sentAt", microseconds: sentAt.microseconds)
        writer.endObject()
        var head = writer.finish()
        head[head.count - 1] = UInt8(ascii: ",")
        return head + bytes.dropFirst()
    }
}
