public import Events

/// What somebody is to a site. What each role may call is in `AccessTable`.
public enum Role: String, Hashable, Sendable, CaseIterable {
    /// A visitor of whom nothing is known, by a session that was given to anybody.
    case anonymous
    /// Asks where a scan was made, and nothing else.
    case locateOnly = "locate-only"
    /// A telephone or a tag: speaks for itself and sees itself.
    case device
    /// Hears for itself: sends scans under its own name.
    case scanner
    /// Hands on what many devices of a site send or what its nodes hear of them.
    case gateway
    /// Finds the way: maps, search, routes, where am I.
    case visitor
    /// A visitor who may also suggest; today what a visitor may.
    case contributor
    /// Sums alone, and never a single device: today the map.
    case aggregate
    /// Sees where devices are and were.
    case analyst
    /// Makes the radio map.
    case surveyor
    /// A visitor who sees what was published to testers.
    case tester
    case administratorOfSite = "administrator-of-site"
    /// Of all sites.
    case administrator
    /// What services show each other; no token has it.
    case service

    /// The role of a token. An administrator who is bound to a site is that site's.
    public init(_ token: TokenRole, isBoundToSite: Bool) {
        self =
            switch token {
            case .locateOnly: .locateOnly
            case .device: .device
            case .scanner: .scanner
            case .gateway: .gateway
            case .visitor: .visitor
            case .contributor: .contributor
            case .aggregate: .aggregate
            case .analyst: .analyst
            case .surveyor: .surveyor
            case .tester: .tester
            case .administratorOfSite: .administratorOfSite
            case .administrator: isBoundToSite ? .administratorOfSite : .administrator
            }
    }
}

/// Some of the roles.
public struct RoleSet: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public init(_ roles: Role...) {
        self.init(rawValue: roles.reduce(0) { $0 | Self.bit($1) })
    }

    public func contains(_ role: Role) -> Bool { rawValue & Self.bit(role) != 0 }

    /// In the order of the type.
    public var roles: [Role] { Role.allCases.filter(contains) }

    @inline(__always)
    private static func bit(_ role: Role) -> UInt32 {
        switch role {
        case .anonymous: 1
        case .locateOnly: 2
        case .device: 4
        case .scanner: 8
        case .gateway: 16
        case .visitor: 32
        case .contributor: 64
        case .aggregate: 128
        case .analyst: 256
        case .surveyor: 512
        case .tester: 1_024
        case .administratorOfSite: 2_048
        case .administrator: 4_096
        case .service: 8_192
        }
    }
}
