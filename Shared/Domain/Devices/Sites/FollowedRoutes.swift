public import Magnetic

/// A site's magnetic routes that serve, ready to match scans with.
public struct FollowedRoutes: Sendable {
    /// The part of a device's memory that belongs to the field. No positioner has such a name.
    public static let memoryName = "+magnetic"

    public let follower: MagneticFollower
    /// Says which routes a device's state was made with.
    public let basis: UInt64
    /// How many routes are left out, since only so many metres can be matched.
    public let unusedCount: Int
    private let versions: [String]

    /// - Parameter known: kept where it was made from the same routes.
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

    /// Whether a scan can be matched with any route.
    public var isEmpty: Bool { follower.routeCount == 0 }
}
