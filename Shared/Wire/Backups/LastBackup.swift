public import Events
internal import JSON

/// How backups stand: the file `last-backup.json` beside them, which a night, `backup make` and
/// `backup check` write.
public struct LastBackup: Hashable, Sendable {
    public static let file = "last-backup.json"
    /// The most bytes of a text, so that readers accept it. S3 servers and manifests choose them.
    private static let mostBytes = 2_000

    /// When the last work ended, well or not.
    public var finishedAt: Timestamp
    public var isOK: Bool
    /// The last whole backup that was made well; nil where there is none.
    public var name: String?
    /// Why the last work failed.
    public var reason: String?
    /// When `name` was finished. Later failures keep it.
    public var goodAt: Timestamp?
    /// When the last night began. A night that failed goes on, and keeps its beginning.
    public var begunAt: Timestamp?
    /// Whether that night has further work. If nobody is at it, its process has died.
    public var isUnfinished = false
    /// When all backups were last read and found well.
    public var checkedAt: Timestamp?
    /// How many erasures the last check that found no damage has read beside the backups.
    public var erasures: Int?
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

    /// When the last good backup was finished; nil also where that time is in the future. A clock
    /// was ahead then, so nobody knows the age.
    public func lastGood(at now: Timestamp) -> Timestamp? {
        goodAt.flatMap { $0.isAhead(of: now) ? nil : $0 }
    }

    /// How the last work stands.
    public enum Standing: Hashable, Sendable {
        case good, underWay, interrupted
        case failed(String)

        /// Whether somebody has to look after it.
        public var isBad: Bool {
            switch self {
            case .good, .underWay: false
            case .interrupted, .failed: true
            }
        }
    }

    /// - Parameter isUnderWay: whether somebody is at a night's work now.
    public func standing(isUnderWay: Bool) -> Standing {
        if isUnfinished {
            if !isUnderWay { return .interrupted }
            // A first night has not ended well yet, and has not failed either.
            if reason == nil { return .underWay }
        }
        return isOK ? .good : .failed(reason ?? "nobody noted why")
    }

    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("finishedAt", finishedAt)
        writer.field("ok", isOK)
        writer.field("name", name)
        writer.field("reason", Self.cut(reason))
        if let goodAt { writer.field("goodAt", goodAt) }
        if let begunAt { writer.field("begunAt", begunAt) }
        if isUnfinished { writer.field("unfinished", true) }
        if let checkedAt { writer.field("checkedAt", checkedAt) }
        writer.field("erasures", erasures)
        writer.field("damage", Self.cut(damage))
        writer.endObject()
        return writer.finish()
    }

    private static func cut(_ text: String?) -> String? {
        text.map { String(decoding: $0.utf8.filter { $0 != 0 }.prefix(mostBytes), as: UTF8.self) }
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
            last.begunAt = try fields.optional("begunAt")?.time()
            last.isUnfinished = try fields.optional("unfinished")?.bool() ?? false
            last.erasures = try fields.optional("erasures")?.integer(in: 0...Int.max)
            last.checkedAt = try fields.optional("checkedAt")?.time()
            last.damage = try fields.optional("damage")?.text()
            return last
        }
    }
}

extension Timestamp {
    private static let slackMicroseconds: Int64 = 3_600_000_000

    /// Whether a clock must have been ahead when this time was noted. Clocks of machines differ,
    /// but less than an hour.
    public func isAhead(of now: Timestamp) -> Bool {
        self > now.advanced(byMicroseconds: Self.slackMicroseconds)
    }
}
