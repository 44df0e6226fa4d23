internal import JSON

/// A page with the newest position of each device.
public enum LatestPositions {
    /// - Parameters:
    ///   - events: positions as JSON.
    ///   - next: the device after which the next page begins; nil on the last page.
    public static func json(_ events: [String], next: String?) -> [UInt8] {
        var writer = JSONWriter(capacity: 64 + events.count * 600)
        writer.beginObject()
        writer.name("positions")
        writer.beginArray()
        for event in events { Array(event.utf8).withUnsafeBytes { writer.raw($0) } }
        writer.endArray()
        writer.name("next")
        if let next { writer.string(next) } else { writer.null() }
        writer.endObject()
        return writer.finish()
    }
}
