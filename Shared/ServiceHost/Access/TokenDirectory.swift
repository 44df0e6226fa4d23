import Access
import Cryptography
import EventLog
public import Events
public import HTTP
import Synchronization
public import Wire

/// Finds the caller that a bearer token or a session speaks for, from the `tokens` topic. A revoked
/// token stops working as soon as its tombstone is read, which takes well under a second.
///
/// Hashing a token for every request would cost more than the look-up. So valid tokens are
/// remembered by their text, and every change of the table empties that memory.
public final class TokenDirectory: Authenticator {
    /// The most texts that are remembered. Wrong tokens are never among them.
    private static let rememberedLimit = 10_000
    private struct Known {
        var table: TrustTable?
        /// The expiry of each device's token that lasts longest; nil inside for no expiry.
        var devices: [DeviceKey: Timestamp?] = [:]
        /// The hashes of the tokens, by their ids.
        var ids: [String: String] = [:]
        var byText: [String: Caller] = [:]
        /// The last uses of tokens under earlier tables, by id.
        var uses: [String: Int64] = [:]

        /// Moves the last uses of the remembered callers to `uses`.
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
    /// The sites that the settings open to visitors without an account, if they say nothing
    /// themselves.
    private let openSites: [SiteID]
    let sites: SiteDirectory

    /// - Parameters:
    ///   - serviceSecret: the secret that services show each other.
    ///   - openSites: the sites whose maps, search and routes anybody may use, unless they say
    ///     otherwise themselves.
    ///   - sites: the published sites, which say who sees them.
    public init(
        serviceSecret: String, openSites: [SiteID] = [], sites: SiteDirectory = SiteDirectory(),
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.serviceSecret = Array(serviceSecret.utf8)
        self.openSites = openSites
        self.sites = sites
        self.now = now
    }

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

    /// Whether a token with this hash was issued and not revoked.
    public func knows(hash: String) -> Bool {
        known.withLock { $0.table?.tokens[hash] != nil }
    }

    /// Waits until the table here shows a decision, such as a new token; false when the time ran
    /// out. Other processes read it from the log at about the same moment, at most 5 s later.
    @discardableResult
    public func wait(
        atMost patience: Duration, until isSo: @escaping @Sendable (TokenDirectory) -> Bool
    ) async -> Bool {
        await change.wait(atMost: patience) { [self] in isSo(self) }
    }

    /// Whether the device has a valid token of its own. Only scanners with one may be named in
    /// surveys.
    public func hasToken(device: DeviceID, site: SiteID) -> Bool {
        let last = known.withLock { $0.devices[DeviceKey(site, device)] }
        guard let last else { return false }
        return last.map { $0 > now() } ?? true
    }

    /// False until the table has been read once.
    public var isReady: Bool { known.withLock { $0.table != nil } }

    /// The log's id; nil where it has none.
    var logID: String? { known.withLock { $0.table?.logID } }

    public func principal(forBearer token: String) -> (any Principal)? { caller(forBearer: token) }

    /// The caller of the token; nil when it is unknown, was revoked or has expired.
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

    /// The caller of the token with this id; nil when it is unknown, was revoked or has expired. An
    /// id is no secret, so it proves nothing about the sender.
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
            // A site may be open to everybody since, or not any more.
            return isPerson(id, caller)
                && caller.allGrants == caller.grants + grants(with: nil)
        }
        // A visitor without an account has no token that could be revoked, but a site may have
        // closed since.
        if caller.changeToken != nil { return caller.grants == grants(with: caller.link) }
        return known.withLock { $0.ids[caller.id] != nil }
    }

    /// Whether the account still has the caller's roles and session. A caller whose roles changed
    /// must open its streams again.
    func isPerson(_ id: AccountID, _ caller: Caller) -> Bool {
        guard let account = account(id) else { return false }
        return account.sessionsEnded == caller.sessionsEnded
            && account.grants.map(Grant.init) == caller.grants
    }

    /// The grants of a visitor without an account.
    func grants(with link: SiteLink?) -> [Grant] {
        sites.open(openSites, with: link).map { Grant(.anonymous, site: $0) }
    }

    /// The link that a visitor opens with a secret; nil where it opens no site.
    public func link(to site: SiteID, secret: String) -> SiteLink? {
        let link = SiteLink(to: site, secret: secret)
        return sites.isOpened(by: link) ? link : nil
    }

    /// The public key with this id, to check the signature of a session.
    func sessionKey(_ id: String) -> [UInt8]? { known.withLock { $0.table?.sessionKeys[id] } }

    /// The account as it is now; nil where there is none.
    func account(_ id: AccountID) -> AccountChanged? { known.withLock { $0.table?.accounts[id] } }

    /// The caller that this text spoke for before, under the same table.
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

    /// The caller that shows the services' own secret.
    private static let service = Caller(id: "service", grants: [Grant(.service)])

    private func hasExpired(_ caller: Caller) -> Bool {
        caller.expiresAt.map { $0 <= now() } ?? false
    }

    /// Returns the tokens used since the last call with their last uses, and forgets them.
    func drainUses() -> [(token: String, at: Timestamp)] {
        let uses = known.withLock { known in
            known.gatherUses()
            defer { known.uses = [:] }
            return known.uses
        }
        return uses.map { (token: $0.key, at: Timestamp(microseconds: $0.value)) }
    }
}
