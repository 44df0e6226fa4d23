/// A method and a path pattern, such as GET of `/v1/sites/{site}/rooms`.
public struct AccessOperation: Hashable, Sendable {
    public var method: String
    public var pattern: String

    public init(_ method: String, _ pattern: String) {
        self.method = method
        self.pattern = pattern
    }
}

/// The part of a site that a role may see or change with an operation.
public enum AccessScope: String, Hashable, Sendable, CaseIterable {
    /// The operation is about no site, such as one that is open to anybody.
    case none
    /// The caller's site. A device or a scanner reads and sends only its own data.
    case ownDevice = "own-device"
    /// The caller's whole site: a grant for some of its buildings is not enough.
    case site
    /// The caller's site. A grant for some buildings is enough; the answer is then limited to them.
    case building
}

/// The services that answer requests, by the names that `whereabouts serve` starts them under.
public enum ServiceName: String, Hashable, Sendable, CaseIterable {
    case scanIngest = "scan-ingest"
    case siteEditor = "site-editor"
    case fingerprintBuilder = "fingerprint-builder"
    case locator
    case router
    case timetableFetcher = "timetable-fetcher"
}

/// The service that answers an operation, and the roles that may call it.
public struct AccessRow: Hashable, Sendable {
    public var operation: AccessOperation
    public var roles: RoleSet
    public var scope: AccessScope
    /// Nil for a path that every process answers itself, such as `/healthz`.
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

    /// Whether the operation may be called at a testers' site.
    ///
    /// There, clients read, locate, find routes, report outages, erase devices and end the site.
    /// Every other change is made at the site whose draft the testers' site shows.
    var isForTestersSites: Bool {
        switch owner {
        case .fingerprintBuilder: false
        case .timetableFetcher: operation.method == "GET"
        case .siteEditor:
            operation.method == "GET" || Self.changesOfTestersSites.contains(operation)
        case .scanIngest: !["/v1/surveys", "/v1/taps"].contains(operation.pattern)
        case .locator, .router, nil: true
        }
    }

    private static let changesOfTestersSites: Set<AccessOperation> = [
        AccessOperation("DELETE", "/v1/sites/{site}"), AccessOperation("POST", "/v1/outages"),
        AccessOperation("DELETE", "/v1/sites/{site}/devices/{id}"),
        AccessOperation("DELETE", "/v1/outages/{id}"), AccessOperation("POST", "/v1/tokens"),
        AccessOperation("DELETE", "/v1/tokens/{id}"), AccessOperation("POST", "/v1/token-uses"),
    ]

    public var namesSite: Bool { operation.pattern.contains("{site}") }
}
