/// A method and a path pattern, such as GET of `/v1/sites/{site}/rooms`.
public struct AccessOperation: Hashable, Sendable {
    /// In capitals.
    public var method: String
    public var pattern: String

    public init(_ method: String, _ pattern: String) {
        self.method = method
        self.pattern = pattern
    }
}

/// How far a role reaches in an operation.
public enum AccessScope: String, Hashable, Sendable, CaseIterable {
    /// It is about no site: what is open to anybody.
    case none
    /// The caller's site; a device and a scanner see and speak for themselves alone.
    case ownDevice = "own-device"
    /// The caller's site, the whole of it: a grant of some buildings is not enough.
    case site
    /// The caller's site; a grant of some buildings is enough, and what is in one building of it is
    /// kept to them.
    case building
}

/// The services that answer requests, by the names that they are started under.
public enum ServiceName: String, Hashable, Sendable, CaseIterable {
    case scanIngest = "scan-ingest"
    case siteEditor = "site-editor"
    case fingerprintBuilder = "fingerprint-builder"
    case locator
    case router
}

/// The service that answers an operation, and the roles that may call it.
public struct AccessRow: Hashable, Sendable {
    public var operation: AccessOperation
    public var roles: RoleSet
    public var scope: AccessScope
    /// Nil for what every process answers for itself.
    public var owner: ServiceName?

    public init(
        _ method: String, _ pattern: String, _ roles: RoleSet, _ scope: AccessScope,
        owner: ServiceName? = nil
    ) {
        operation = AccessOperation(method, pattern)
        self.roles = roles
        self.scope = scope
        self.owner = owner
    }

    /// Whether it can be called at a testers' site: that is read, located and routed in, its
    /// outages are reported and it is ended; all else is done at the site whose draft it shows.
    var isForTestersSites: Bool {
        switch owner {
        case .fingerprintBuilder: false
        case .siteEditor:
            operation.method == "GET" || Self.changesOfTestersSites.contains(operation)
        case .scanIngest: operation.pattern != "/v1/surveys"
        case .locator, .router, nil: true
        }
    }

    private static let changesOfTestersSites: Set<AccessOperation> = [
        AccessOperation("DELETE", "/v1/sites/{site}"), AccessOperation("POST", "/v1/outages"),
        AccessOperation("DELETE", "/v1/outages/{id}"), AccessOperation("POST", "/v1/tokens"),
        AccessOperation("DELETE", "/v1/tokens/{id}"), AccessOperation("POST", "/v1/token-uses"),
    ]

    /// Whether the path names the site.
    public var namesSite: Bool { operation.pattern.contains("{site}") }
}
