public import Events
internal import JSON

/// The state of a scanner as its status file and `scanner status` show it.
public struct ScannerHealth: Hashable, Sendable {
    public var writtenAt: Timestamp
    public var scanner: ScannerID
    public var server: String
    /// The Wi-Fi source in use, or `lines`.
    public var source = ""
    public var lastScanAt: Timestamp?
    public var lastSentAt: Timestamp?
    public var scans = 0
    public var sent = 0
    public var waitingScans = 0
    public var waitingSurveys = 0
    /// Reports of other people's devices.
    public var waitingSightings = 0
    public var spoolBytes = 0
    /// Scans that went because the spool or the disk was full.
    public var dropped = 0
    /// New scans that no room was found for.
    public var notKept = 0
    /// Bytes of the spool that belonged to no whole record.
    public var damagedBytes = 0
    /// Refused scans by the server's code.
    public var refused: [String: Int] = [:]
    /// Lines of `--from` that were no scan.
    public var badLines = 0
    /// Lines of `--from` that answered a request after its end.
    public var lateAnswers = 0
    /// The faults that hold now, one sentence each.
    public var faults: [String] = []

    public init(writtenAt: Timestamp, scanner: ScannerID, server: String) {
        self.writtenAt = writtenAt
        self.scanner = scanner
        self.server = server
    }

    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("at", microseconds: writtenAt.microseconds)
        writer.field("scanner", scanner.text)
        writer.field("server", server)
        writer.field("source", source)
        writer.field("lastScanAt", microseconds: lastScanAt?.microseconds)
        writer.field("lastSentAt", microseconds: lastSentAt?.microseconds)
        writer.field("scans", scans)
        writer.field("sent", sent)
        writer.field("waitingScans", waitingScans)
        writer.field("waitingSurveys", waitingSurveys)
        writer.field("waitingSightings", waitingSightings)
        writer.field("spoolBytes", spoolBytes)
        writer.field("dropped", dropped)
        writer.field("notKept", notKept)
        writer.field("damagedBytes", damagedBytes)
        writer.name("refused")
        writer.beginObject()
        for (code, count) in refused.sorted(by: { $0.key < $1.key }) {
            writer.name(code)
            writer.integer(count)
        }
        writer.endObject()
        writer.field("badLines", badLines)
        writer.field("lateAnswers", lateAnswers)
        writer.name("faults")
        writer.beginArray()
        for fault in faults { writer.string(fault) }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }
}
