public import Events
internal import JSON

/// The last backup's outcome, as the backup leaves it in `last-backup.json` beside the backups.
public struct BackupReport: Sendable, Hashable {
    public static let fileName = "last-backup.json"

    public var finishedAt: Timestamp
    public var isGood: Bool
    public var name: String

    public init(finishedAt: Timestamp, isGood: Bool, name: String) {
        self.finishedAt = finishedAt
        self.isGood = isGood
        self.name = name
    }

    /// Nil where the file is damaged or another program's.
    public init?(json: [UInt8]) {
        let read = try? JSONParser.read(json) { root -> Self? in
            guard let object = root.object, let isGood = object["ok"]?.bool,
                let finishedAt = object["finishedAt"]?.string.flatMap(Timestamp.init(text:))
            else { return nil }
            return Self(
                finishedAt: finishedAt, isGood: isGood, name: object["name"]?.string ?? "")
        }
        guard let read else { return nil }
        self = read
    }
}
