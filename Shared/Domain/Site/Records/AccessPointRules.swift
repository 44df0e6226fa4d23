public import Events

/// The access points of a site that may be used for positioning. They exclude, for example, the
/// hotspot in a visitor's pocket.
public struct AccessPointRules: Hashable, Sendable {
    /// A property that selects access points.
    public enum Rule: Hashable, Sendable {
        /// The name of a network.
        case network(String)
        /// The first `count` bytes (1 to 5) of an address, in the lowest bits; a vendor's prefix
        /// has three.
        case prefix(UInt64, count: Int)
        case address(HardwareAddress)

        /// Whether the rule selects the address by itself, whatever network it serves.
        public func fits(_ address: HardwareAddress) -> Bool {
            switch self {
            case .network: false
            case .prefix(let bytes, let count): address.value >> UInt64(48 - 8 * count) == bytes
            case .address(let other): address == other
            }
        }
    }

    /// Access points that may be used; empty for all.
    public var allow: [Rule]
    /// Access points that may not be used, even if `allow` selects them.
    public var deny: [Rule]

    public init(allow: [Rule] = [], deny: [Rule] = []) {
        self.allow = allow
        self.deny = deny
    }

    public var isEmpty: Bool { allow.isEmpty && deny.isEmpty }

    /// Whether an access point that was received with these network names may be used.
    public func allows(_ address: HardwareAddress, networks: Set<String>) -> Bool {
        func fits(_ rule: Rule) -> Bool {
            if case .network(let name) = rule { return networks.contains(name) }
            return rule.fits(address)
        }
        return (allow.isEmpty || allow.contains(where: fits)) && !deny.contains(where: fits)
    }
}
