public import Magnetic

/// A site's valid magnetic routes, ready to match scans with.
public struct FollowedRoutes: Sendable {
    /// The name of the magnetic state in a device's memory. No positioner has such a name.
    public static let memoryName = "+magnetic"

    public let follower: MagneticFollower
    /// Identifies the routes with which a device's state was made.
    public let basis: UInt64
    /// The number of routes left out because only a limited length can be matched.
    public let unusedCount: Int
    private let versions: [String]

    /// - Parameter known: earlier routes, which are kept if they have the same versions.
    public init(_ table: MagneticRouteTable, known: FollowedRoutes? = nil, _ digests: Digests) {
        let versions = table.versions
        if let known, known.versions == versions {
            self = known
            return
        }
        let routes = table.routes
        follower = MagneticFollower(routes)
        unusedCount = routes.count - follower.routeCount
        basis = digests.basis(versions.joined(separator: " "))
        self.versions = versions
    }

    /// Whether there is no route to match scans with.
    public var isEmpty: Bool { follower.routeCount == 0 }
}
