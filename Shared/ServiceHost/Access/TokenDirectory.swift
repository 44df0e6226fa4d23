import Access
import Cryptography
import EventLog
public import Events
public import HTTP
import Synchronization
import Wire

/// Tells whom a bearer token or a session speaks for, from the `tokens` topic. A revoked token
/// stops as soon as its tombstone is read, which takes well under a second.
///
/// Hashing a token for every request would cost more than looking it up, so good tokens are kept by
/// their text; every change of the table empties that memory.
public final class TokenDirectory: Authenticator {
    /// Texts kept at most; a stranger's wrong tokens are never kept.
    private static let rememberedLimit = 10_000
    private struct Known {
        var table: TrustTable?
        /// When the last token of each device expires, by `site/device`; nil in it for never.
        var devices: [DeviceKey: Timestamp?] = [:]
        /// Hashes of the tokens, by their ids.
        var ids: [String: String] = [:]
        var byText: [String: Caller] = [:]
        /// When tokens of earlier tables were last used, by id.
        var uses: [String: Int64] = [:]

        /// Moves the uses of the callers that are remembered to `uses`.
        mutating func gatherUses() {
            for caller in byText.values {
                let at = caller.lastUse.exchange(0, ordering: .relaxed)
                if at > 0 { uses[caller.id] = max(uses[caller.id] ?? 0, at) }
            }
        }
    }

    private let known = Mutex(Known())
    private let change = TableChange()
    private let serviceSecret: [UInt8]
    private let now: @Sendable () -> Timestamp
    /// The sites that are open to visitors without an account.
    let openSites: [SiteID]

    /// - Parameters:
    ///   - serviceSecret: what services show each other.
    ///   - openSites: whose maps, search and routes anybody may use.
    public init(
        serviceSecret: String, openSites: [SiteID] = [], now: @escaping @Sendable () -> Timestamp
    ) {
        self.serviceSecret = Array(serviceSecret.utf8)
        self.openSites = openSites
        self.now = now
    }

    /// Takes the table as it now is.
    public func replace(with table: TrustTable) {
        let tokens = table.tokens
        let devices = tokens.values.compactMap { token -> (DeviceKey, Timestamp?)? in
            guard let site = token.site, let device = token.device else { return nil }
            return (DeviceKey(site, device), token.expiresAt)
        }
        let lastExpiries = Dictionary(devices) { one, other in
            guard let one, let other else { return nil }
            return max(one, other)
        }
        let ids = Dictionary(
            tokens.map { ($0.value.id.description, $0.key) }, uniquingKeysWith: { one, _ in one })
        known.withLock { known in
            known.gatherUses()
            known = Known(
                table: table, devices: lastExpiries, ids: ids,
                uses: known.uses.filter { ids[$0.key] != nil })
        }
        change.changed()
    }

    /// Whether there is a token of this hash that was not revoked.
    public func knows(hash: String) -> Bool {
        known.withLock { $0.table?.tokens[hash] != nil }
    }

    /// Waits until the table is as somebody has decided that it be; false when it was not so in
    /// time. Other processes learn it from the log at about the same moment, 5 s later at most.
    @discardableResult
    public func wait(
        atMost patience: Duration, until isSo: @escaping @Sendable (TokenDirectory) -> Bool
    ) async -> Bool {
        await change.wait(atMost: patience) { [self] in isSo(self) }
    }

    /// Whether the device has a token of its own that still holds: only such scanners are known.
    public func hasToken(device: DeviceID, site: SiteID) -> Bool {
        let last = known.withLock { $0.devices[DeviceKey(site, device)] }
        guard let last else { return false }
        return last.map { $0 > now() } ?? true
    }

    /// False until the table has been read once.
    public var isReady: Bool { known.withLock { $0.table != nil } }

    public func principal(forBearer token: String) -> (any Principal)? { caller(forBearer: token) }

    /// Whom the token speaks for; nil when it is unknown, was revoked or has expired.
    public func caller(forBearer token: String) -> Caller? {
        if let remembered = known.withLock({ $0.byText[token] }) {
            let moment = now()
            if let end = remembered.expiresAt, end <= moment { return nil }
            remembered.lastUse.store(moment.microseconds, ordering: .relaxed)
            return remembered
        }
        if isEqualInConstantTime(Array(token.utf8), serviceSecret) { return Self.service }
        let hash = BearerToken.hash(of: token)
        return known.withLock { known in
            guard let issued = known.table?.tokens[hash] else { return nil }
            let caller = Caller(issued)
            if hasExpired(caller) { return nil }
            if known.byText.count >= Self.rememberedLimit {
                known.gatherUses()
                known.byText = [:]
            }
            caller.lastUse.store(now().microseconds, ordering: .relaxed)
            known.byText[token] = caller
            return caller
        }
    }

    /// Whom a token speaks for by its id, which proves nothing; nil when it is unknown, was revoked
    /// or has expired.
    public func caller(ofToken id: EventID) -> Caller? {
        known.withLock { known in
            guard let hash = known.ids[id.description], let issued = known.table?.tokens[hash]
            else {
                return nil
            }
            let caller = Caller(issued)
            return hasExpired(caller) ? nil : caller
        }
    }

    public func holds(_ principal: any Principal) -> Bool {
        guard let caller = principal as? Caller, !hasExpired(caller) else { return false }
        if caller === Self.service { return true }
        if let id = caller.account {
            // With other roles it must begin its streams anew.
            guard let account = account(id) else { return false }
            return account.sessionsEnded == caller.sessionsEnded
                && account.grants.map(Grant.init) == caller.grants
        }
        // A visitor without an account has nothing that could be taken back.
        if caller.changeToken != nil { return true }
        return known.withLock { $0.ids[caller.id] != nil }
    }

    /// The key of this id that sessions may be signed with.
    func sessionKey(_ id: String) -> [UInt8]? { known.withLock { $0.table?.sessionKeys[id] } }

    /// What an account may; nil where there is none.
    func account(_ id: AccountID) -> AccountChanged? { known.withLock { $0.table?.accounts[id] } }

    /// Whom this very text spoke for before; the table has not changed since.
    func remembered(_ text: String) -> Caller? { known.withLock { $0.byText[text] } }

    func remember(_ caller: Caller, as text: String) {
        known.withLock { known in
            if known.byText.count >= Self.rememberedLimit {
                known.gatherUses()
                known.byText = [:]
            }
            known.byText[text] = caller
        }
    }

    /// Whoever shows the services' own secret.
    private static let service = Caller(id: "service", grants: [Grant(.service)])

    private func hasExpired(_ caller: Caller) -> Bool {
        caller.expiresAt.map { $0 <= now() } ?? false
    }

    /// When which tokens were used since this was last asked.
    func takeUses() -> [(token: String, at: Timestamp)] {
        let uses = known.withLock { known in
            known.gatherUses()
            defer { known.uses = [:] }
            return known.uses
        }
        return uses.map { (token: $0.key, at: Timestamp(microseconds: $0.value)) }
    }
}
