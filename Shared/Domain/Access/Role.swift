public import Events

/// A caller's part at a site. `AccessTable` lists the operations of each role.
public enum Role: String, Hashable, Sendable, CaseIterable {
    /// A visitor with a session that anybody gets, without an account.
    case anonymous
    /// Asks for the position of a scan, and nothing else.
    case locateOnly = "locate-only"
    /// A telephone or a tag: sends scans under its own name and sees only its own positions.
    case device
    /// Sends scans under its own name.
    case scanner
    /// Sends the scans of many devices of a site, or the readings that its receivers make of them.
    case gateway
    /// Finds the way: reads maps, searches, asks for routes and for its own position.
    case visitor
    /// Meant for visitors who may also suggest changes. Today it has a visitor's operations.
    case contributor
    /// Reads maps, and counts of visitors by zone and quarter of an hour; nothing about one device.
    case aggregate
    /// Sees the present and past positions of devices.
    case analyst
    /// Makes surveys and builds the radio map.
    case surveyor
    /// A visitor who also sees drafts that were published to testers.
    case tester
    case administratorOfSite = "administrator-of-site"
    /// An administrator of all sites.
    case administrator
    /// One service that calls another. No token has this role.
    case service

    /// The role of a token. A token for an administrator that is bound to a site makes an
    /// administrator of that site alone.
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

public struct RoleSet: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public init(_ roles: Role...) {
        self.init(rawValue: roles.reduce(0) { $0 | Self.bit($1) })
    }

    public func contains(_ role: Role) -> Bool { rawValue & Self.bit(role) != 0 }

    /// In the order in which `Role` declares them.
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
