public import Events
internal import JSON

/// How backups stand: the file `last-backup.json` beside them, which a night, `backup make` and
/// `backup check` write.
public struct LastBackup: Hashable, Sendable {
    public static let file = "last-backup.json"

    /// When the last work ended, well or not.
    public var finishedAt: Timestamp
    public var isOK: Bool
    /// The last whole backup that was made well; nil where there is none.
    public var name: String?
    /// Why the last work failed.
    public var reason: String?
    /// When `name` was finished. Later failures keep it.
    public var goodAt: Timestamp?
    /// When all backups were last read and found well.
    public var checkedAt: Timestamp?
    /// The damage that a check has found. It stays until a later check finds all well.
    public var damage: String?

    /// - Parameter goodAt: nil for the time of a report that is good.
    public init(
        finishedAt: Timestamp, isOK: Bool, name: String?, reason: String? = nil,
        goodAt: Timestamp? = nil
    ) {
        self.finishedAt = finishedAt
        self.isOK = isOK
        self.name = name
        self.reason = reason
        self.goodAt = goodAt ?? (isOK ? finishedAt : nil)
    }

    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("finishedAt", finishedAt)
        writer.field("ok", isOK)
        writer.field("name", name)
        writer.field("reason", reason)
        if let goodAt { writer.field("goodAt", goodAt) }
        if let checkedAt { writer.field("checkedAt", checkedAt) }
        writer.field("damage", damage)
        writer.endObject()
        return writer.finish()
    }

    public init(json: [UInt8]) throws(WireFault) {
        self = try withJSON(json) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "an object is expected")
            }
            let fields = FieldReader(object)
            var last = LastBackup(
                finishedAt: try fields.required("finishedAt").time(),
                isOK: try fields.required("ok").bool(), name: try fields.optional("name")?.text(),
                reason: try fields.optional("reason")?.text(),
                goodAt: try fields.optional("goodAt")?.time())
            last.checkedAt = try fields.optional("checkedAt")?.time()
            last.damage = try fields.optional("damage")?.text()
            return last
        }
    }
}
