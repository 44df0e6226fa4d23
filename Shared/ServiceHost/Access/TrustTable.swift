import Cryptography
public import EventLog
public import Events
import Wire

/// The tokens of programs, the accounts of people, the keys that sign sessions and the log's id,
/// from the topic `tokens`.
public struct TrustTable: Sendable {
    /// Tokens by their hashes.
    public var tokens: [String: TokenIssued] = [:]
    public var accounts: [AccountID: AccountChanged] = [:]
    /// Public keys by their ids.
    public internal(set) var sessionKeys: [String: [UInt8]] = [:]
    /// The log's id; nil where it has none.
    public internal(set) var logID: String?
    /// The keys of tokens, accounts and session keys whose last record can't be read, for instance
    /// one of a later release.
    public private(set) var unreadable: Set<[UInt8]> = []

    public init(tokens: [String: TokenIssued] = [:]) { self.tokens = tokens }

    /// Applies one record of the topic to the table; false when it can't be read.
    mutating func apply(_ record: StoredRecord) -> Bool {
        guard let bytes = record.key else { return false }
        let key = String(validating: bytes, as: UTF8.self)
        if key == LogIdentified.key {
            logID = (try? LogIdentified(record: record))?.id
            return logID != nil || record.value == nil
        }
        let isRead = key.map { applyTrust($0, record) } ?? false
        if isRead || record.value == nil {
            unreadable.remove(bytes)
        } else {
            unreadable.insert(bytes)
        }
        return isRead
    }

    private mutating func applyTrust(_ key: String, _ record: StoredRecord) -> Bool {
        if key.hasPrefix(AccountChanged.keyPrefix) {
            return applyAccount(String(key.dropFirst(AccountChanged.keyPrefix.count)), record)
        }
        if key.hasPrefix(SessionKeyMade.keyPrefix) {
            return applyKey(String(key.dropFirst(SessionKeyMade.keyPrefix.count)), record)
        }
        guard record.value != nil else {
            tokens[key] = nil
            return true
        }
        guard let issued = try? TokenIssued(record: record), issued.hash == key else {
            return false
        }
        tokens[key] = issued
        return true
    }

    private mutating func applyAccount(_ name: String, _ record: StoredRecord) -> Bool {
        guard let id = AccountID(name) else { return false }
        guard record.value != nil else {
            accounts[id] = nil
            return true
        }
        guard let changed = try? AccountChanged(record: record), changed.account == id else {
            return false
        }
        // The outbox may send an event again, after a newer one.
        if let known = accounts[id], known.version >= changed.version { return true }
        accounts[id] = changed
        return true
    }

    private mutating func applyKey(_ id: String, _ record: StoredRecord) -> Bool {
        guard record.value != nil else {
            sessionKeys[id] = nil
            return true
        }
        guard let made = try? SessionKeyMade(record: record), made.id == id,
            let key = bytes(fromHexadecimal: made.publicKey),
            key.count == Ed25519.publicKeyBytes
        else { return false }
        sessionKeys[id] = key
        return true
    }

    /// Reads the topic once, as far as it can be read.
    public static func read(in log: any EventLog) async throws -> TrustTable {
        var table = TrustTable()
        try await log.readRange(log.ranges(of: [Topic.tokens.name])) { records in
            for record in records { _ = table.apply(record) }
        }
        return table
    }
}
