import Events
import Postgres
import Wire

/// An account as site-editor stores it.
struct AccountRow: Sendable {
    var id: AccountID
    var signIn: String?
    var name: String
    var password: String?
    /// The provider that signs the person in; nil for a sign-in by password.
    var issuer: String?
    /// The roles; none where the stored ones can't be read.
    var grants: [RoleGrant] { didSet { unreadGrants = nil } }
    /// The stored roles, where this release can't read them: a later release wrote them. Until
    /// somebody sets other roles, the person has none, and the row keeps these.
    private(set) var unreadGrants: String?
    var version: Int
    var sessionsEnded: Int
    var madeAt: Timestamp
    var madeBy: String
    var signedInAt: Timestamp?
    /// The part of the last change that the security log shows.
    var effect = Effect()

    /// A change of an account as the security log shows it; it is not stored.
    struct Effect: Sendable {
        var isNew = false
        /// The roles before the change; nil if it did not change them.
        var formerGrants: [RoleGrant]?
        /// The tokens that ended with a lost role.
        var endedTokens = 0
    }

    static let columns = """
        id, sign_in, name, password, issuer, grants, version, sessions_ended, made_at, made_by, \
        signed_in_at
        """

    init(_ row: PostgresRow) throws {
        let bytes: [UInt8] = try row["id"]
        guard let id = EventID(bytes: bytes) else { throw UnreadableRow() }
        let grants: String = try row["grants"]
        let signedInAt: Int64? = try row["signed_in_at"]
        self.id = AccountID(id)
        signIn = try row["sign_in"]
        name = try row["name"]
        password = try row["password"]
        issuer = try row["issuer"]
        do {
            self.grants = try RoleGrant.list(json: Array(grants.utf8))
        } catch {
            self.grants = []
            unreadGrants = grants
        }
        version = try row["version"]
        sessionsEnded = try row["sessions_ended"]
        madeAt = Timestamp(microseconds: try row["made_at"])
        madeBy = try row["made_by"]
        self.signedInAt = signedInAt.map(Timestamp.init(microseconds:))
    }

    init(
        id: AccountID, signIn: String?, name: String, password: String?, issuer: String?,
        grants: [RoleGrant], madeAt: Timestamp, madeBy: String
    ) {
        self.id = id
        self.signIn = signIn
        self.name = name
        self.password = password
        self.issuer = issuer
        self.grants = grants
        version = 1
        sessionsEnded = 0
        self.madeAt = madeAt
        self.madeBy = madeBy
    }

    /// The roles as the row keeps them.
    var storedGrants: String { unreadGrants ?? grants.storedJSON }

    /// The event about the account for the log. It must not be put there while the stored roles
    /// can't be read: the log still has them.
    func changed(at moment: Timestamp) -> AccountChanged {
        AccountChanged(
            account: id, version: version, grants: grants, sessionsEnded: sessionsEnded,
            at: moment)
    }

    struct UnreadableRow: Error {}
}
