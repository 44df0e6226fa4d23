import Glibc

/// The addresses to which requests to strangers' servers may go.
///
/// Refused are those of this machine, of private networks and of no single host, as IANA's
/// registries of special-purpose addresses list them (RFC 6890). An address that carries one of
/// IPv4 (mapped, NAT64, 6to4) is judged by that.
public struct NetworkGuard: Hashable, Sendable {
    /// A network in the form `10.0.0.0/8` or `fd00::/8`.
    public struct Network: Hashable, Sendable {
        let bytes: [UInt8]
        let bits: Int

        /// Nil for anything else. An address without `/` is a network of one.
        public init?(_ text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard (1...2).contains(parts.count), let bytes = NetworkGuard.bytes(String(parts[0]))
            else { return nil }
            let bits = parts.count == 2 ? Int(parts[1]) : bytes.count * 8
            guard let bits, (0...bytes.count * 8).contains(bits) else { return nil }
            (self.bytes, self.bits) = (bytes, bits)
        }

        func contains(_ address: [UInt8]) -> Bool {
            guard address.count == bytes.count else { return false }
            let (whole, rest) = (bits / 8, bits % 8)
            guard address.prefix(whole) == bytes.prefix(whole) else { return false }
            guard rest > 0 else { return true }
            let mask = UInt8(truncatingIfNeeded: 0xff00 >> rest)
            return address[whole] & mask == bytes[whole] & mask
        }
    }

    private static let special: [Network] = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
        "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        "::/96", "100::/64", "2001::/23", "2001:db8::/32", "fc00::/7", "fe80::/10", "fec0::/10",
        "ff00::/8", "64:ff9b:1::/48",
    ].compactMap { Network($0) }

    /// Networks of IPv6 with an address of IPv4 in them, and where it begins.
    private static let carriers: [(network: Network, from: Int)] = [
        ("::ffff:0:0/96", 12), ("64:ff9b::/96", 12), ("2002::/16", 2),
    ].compactMap { text, from in Network(text).map { ($0, from) } }

    /// Networks that may be asked although they are of the refused kind.
    private let allowed: [Network]
    private let refused: [Network]

    public init(allowing allowed: [Network] = []) {
        self.init(allowing: allowed, refusing: Self.special)
    }

    /// - Parameter refused: the networks that count as private. Tests name their own.
    init(allowing allowed: [Network], refusing refused: [Network]) {
        (self.allowed, self.refused) = (allowed, refused)
    }

    /// - Parameter address: 4 or 16 bytes.
    public func allows(_ address: [UInt8]) -> Bool {
        if allowed.contains(where: { $0.contains(address) }) { return true }
        for carrier in Self.carriers where carrier.network.contains(address) {
            return allows(Array(address[carrier.from..<carrier.from + 4]))
        }
        return !refused.contains { $0.contains(address) }
    }

    /// Whether the address is of no refused kind, so that it may be asked without a permission.
    func isPublic(_ address: [UInt8]) -> Bool {
        NetworkGuard(allowing: [], refusing: refused).allows(address)
    }

    /// The bytes of an address in its usual form; nil for other texts.
    static func bytes(_ text: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }

    static func text(_ address: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = address.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, address, &text, socklen_t(text.count)) != nil else { return "?" }
        let characters = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: characters, as: UTF8.self)
    }
}
