import Cryptography
import EventLog
public import Events
public import HTTP
import Synchronization
import Wire

/// Tells whom a bearer token speaks for, from the `tokens` topic. A revoked token stops as soon as
/// its tombstone is read, which takes well under a second.
///
/// Hashing a token for every request would cost more than looking it up, so good tokens are kept by
/// their text; every change of the table empties that memory.
public final class TokenDirectory: Authenticator {
    /// Texts kept at most; a stranger's wrong tokens are never kept.
    private static let rememberedLimit = 10_000
    /// The role of requests between services.
    public static let serviceRole = "service"

    private struct Known {
        var byHash: [String: TokenIssued]?
        /// `site/device` of each device that has a token.
        var devices: Set<String> = []
        var byText: [String: Remembered] = [:]
    }

    private struct Remembered {
        var principal: Principal
        var expiresAt: Timestamp?
    }

    private let known = Mutex(Known())
    private let serviceSecret: [UInt8]
    private let now: @Sendable () -> Timestamp

    /// - Parameter serviceSecret: what services show each other.
    public init(serviceSecret: String, now: @escaping @Sendable () -> Timestamp) {
        self.serviceSecret = Array(serviceSecret.utf8)
        self.now = now
    }

    /// Takes the table as it now is.
    public func replace(with tokens: [String: TokenIssued]) {
        let devices = tokens.values.compactMap { token in
            token.site.flatMap { site in token.device.map { "\(site.text)/\($0.text)" } }
        }
        known.withLock { $0 = Known(byHash: tokens, devices: Set(devices)) }
    }

    /// Whether the device has a token of its own: only such scanners are known.
    public func hasToken(device: DeviceID, site: SiteID) -> Bool {
        known.withLock { $0.devices.contains("\(site.text)/\(device.text)") }
    }

    /// False until the table has been read once.
    public var isReady: Bool { known.withLock { $0.byHash != nil } }

    public func principal(forBearer token: String) -> Principal? {
        let remembered = known.withLock { $0.byText[token] }
        if let remembered {
            guard let expiresAt = remembered.expiresAt, expiresAt <= now() else {
                return remembered.principal
            }
            return nil
        }
        if isEqualInConstantTime(Array(token.utf8), serviceSecret) {
            return Principal(id: "service", role: Self.serviceRole)
        }
        let hash = BearerToken.hash(of: token)
        return known.withLock { known in
            guard let issued = known.byHash?[hash] else { return nil }
            if let expiresAt = issued.expiresAt, expiresAt <= now() { return nil }
            let principal = Principal(
                id: issued.id.description, role: issued.role.rawValue, site: issued.site?.text,
                device: issued.device?.text)
            if known.byText.count >= Self.rememberedLimit { known.byText = [:] }
            known.byText[token] = Remembered(principal: principal, expiresAt: issued.expiresAt)
            return principal
        }
    }

    /// How one record of the topic changes the table; false when it can't be read.
    static func apply(_ tokens: inout [String: TokenIssued], _ record: StoredRecord) -> Bool {
        guard let key = record.key.flatMap({ String(validating: $0, as: UTF8.self) }) else {
            return false
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
}
