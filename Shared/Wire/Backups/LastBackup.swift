public import Events
internal import JSON

/// How the last nightly backup ended: the file `last-backup.json` beside the backups.
public struct LastBackup: Hashable, Sendable {
    public static let file = "last-backup.json"

    public var finishedAt: Timestamp
    public var isOK: Bool
    /// The backup's name; nil where none was made.
    public var name: String?
    /// Why it failed.
    public var reason: String?

    public init(finishedAt: Timestamp, isOK: Bool, name: String?, reason: String? = nil) {
        self.finishedAt = finishedAt
        self.isOK = isOK
        self.name = name
        self.reason = reason
    }

    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("finishedAt", finishedAt)
        writer.field("ok", isOK)
        writer.field("name", name)
        writer.field("reason", reason)
        writer.endObject()
        return writer.finish()
    }

    public init(json: [UInt8]) throws(WireFault) {
        self = try withJSON(json) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "an object is expected")
            }
            let fields = FieldReader(object)
            return LastBackup(
                finishedAt: try fields.required("finishedAt").time(),
                isOK: try fields.required("ok").bool(), name: try fields.optional("name")?.text(),
                reason: try fields.optional("reason")?.text())
        }
    }
}
