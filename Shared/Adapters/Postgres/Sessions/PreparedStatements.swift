/// The statements that a session has prepared, with their names. The least recently used makes
/// room.
struct PreparedStatements {
    private let maximum: Int
    private var entries: [Key: Entry] = [:]
    private var uses = 0
    private var made = 0

    /// A statement's text and parameter types. The same text with other types is another statement.
    struct Key: Hashable {
        var sql: String
        var types: [UInt32]
    }
    private struct Entry {
        var name: String
        var lastUse: Int
    }

    init(maximum: Int) { self.maximum = maximum }

    mutating func name(for key: Key) -> String? {
        uses += 1
        entries[key]?.lastUse = uses
        return entries[key]?.name
    }

    mutating func newName() -> String {
        made += 1
        return "s\(made)"
    }

    /// Adds a statement. Returns the name of one that had to make room; the caller deallocates it.
    mutating func insert(_ key: Key, name: String) -> String? {
        uses += 1
        var removed: String?
        if entries.count >= maximum,
            let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            removed = entries.removeValue(forKey: oldest.key)?.name
        }
        entries[key] = Entry(name: name, lastUse: uses)
        return removed
    }

    /// Forgets all statements and returns true if the error means that a prepared plan no longer
    /// fits. Such errors are 0A000 "cached plan must not change result type" and 26000 "does not
    /// exist".
    mutating func forgets(after error: PostgresError) -> Bool {
        let stale =
            error.sqlState == "26000"
            || error.sqlState == "0A000" && error.reason.contains("cached plan")
        if stale { entries.removeAll() }
        return stale
    }
}
