internal import Events
public import JSON

extension ScanSubmission {
    /// Writes the scan as a device sends it and as a line of a scan file, without a newline.
    /// `receivedAt` is left out: the receiver sets it.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("scanner", scanner)
        writer.field("device", device)
        writer.field("site", site)
        writer.field("at", at)
        writer.field("sentAt", sentAt)
        content.writeMembers(to: &writer)
        if let place { writer.field("place", place) }
        writer.field("request", request)
        if let truth {
            writer.name("truth")
            writer.beginObject()
            writer.field("building", truth.building)
            writer.field("floor", truth.floor)
            writer.field("room", truth.room)
            writer.field("x", truth.x)
            writer.field("y", truth.y)
            writer.endObject()
        }
        writer.endObject()
    }

    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 4_096)
        write(to: &writer)
        return writer.finish()
    }
}
