public import Events

/// Which access points of a site may be used for positioning: those that are its own, and not the
/// hotspot in a visitor's pocket.
public struct AccessPointRules: Hashable, Sendable {
    /// Everything that has this in common.
    public enum Rule: Hashable, Sendable {
        /// The name of a network.
        case network(String)
        /// The first bytes of an address, such as a vendor's three: as many as `count`, 1 to 5, in
        /// the lowest bits.
        case prefix(UInt64, count: Int)
        case address(HardwareAddress)
    }

    /// Empty allows all.
    public var allow: [Rule]
    /// Stronger than `allow`.
    public var deny: [Rule]

    public init(allow: [Rule] = [], deny: [Rule] = []) {
        self.allow = allow
        self.deny = deny
    }

    public var isEmpty: Bool { allow.isEmpty && deny.isEmpty }

    /// Whether an access point may be used that has been heard under these names.
    public func allows(_ address: HardwareAddress, networks: Set<String>) -> Bool {
        func fits(_ rule: Rule) -> Bool {
            switch rule {
            case .network(let name): networks.contains(name)
            case .prefix(let bytes, let count): address.value >> UInt64(48 - 8 * count) == bytes
            case .address(let other): address == other
            }
        }
        return (allow.isEmpty || allow.contains(where: fits)) && !deny.contains(where: fits)
    }
}
