import Glibc

/// An IP address as 128 bits. IPv4 is mapped to IPv6 (`::ffff:a.b.c.d`, RFC 4291, 2.5.5.2).
public struct NetworkAddress: Hashable, Sendable {
    var high: UInt64
    var low: UInt64

    private static let mapped: UInt64 = 0xFFFF_0000_0000

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    private init(bytes: UnsafeRawBufferPointer) {
        high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
        low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// Parses an address in digits, with or without a port: `10.0.0.1`, `10.0.0.1:80`, `::1`,
    /// `[::1]:80`.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 64 else { return nil }
        var digits = text.trimmed
        if digits.hasPrefix("[") {
            guard let end = digits.firstIndex(of: "]") else { return nil }
            digits = String(digits[digits.index(after: digits.startIndex)..<end])
        } else if digits.count(where: { $0 == ":" }) == 1 {
            digits = String(digits.prefix { $0 != ":" })
        }
        var short = in_addr()
        if inet_pton(AF_INET, digits, &short) == 1 {
            self.init(short)
            return
        }
        var long = in6_addr()
        guard inet_pton(AF_INET6, digits, &long) == 1 else { return nil }
        self = withUnsafeBytes(of: &long) { Self(bytes: $0) }
    }

    private init(_ short: in_addr) {
        self.init(high: 0, low: Self.mapped | UInt64(UInt32(bigEndian: short.s_addr)))
    }

    /// Nil when the address is not an IP address, such as a Unix socket's.
    init?(_ address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            self = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                Self($0.pointee.sin_addr)
            }
        case AF_INET6:
            self = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) { Self(bytes: $0) }
            }
        default: return nil
        }
    }

    var isShort: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// The address that limits count as one sender: an IPv4 address, or the /64 of an IPv6 address.
    /// One household or one machine usually gets a complete /64.
    public var sender: NetworkAddress { isShort ? self : NetworkAddress(high: high, low: 0) }

    public var text: String {
        var bytes = (high.bigEndian, low.bigEndian)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            withUnsafeBytes(of: &bytes) { bytes in
                guard let start = bytes.baseAddress, let base = text.baseAddress else { return "" }
                let source = isShort ? start + 12 : start
                let family = isShort ? AF_INET : AF_INET6
                guard inet_ntop(family, source, base, socklen_t(text.count)) != nil else {
                    return ""
                }
                return String(cString: base)
            }
        }
    }

    /// Whether the first bits of both are equal. Bits are counted in the IPv6 form.
    func matches(_ other: NetworkAddress, bits: Int) -> Bool {
        func mask(_ count: Int) -> UInt64 {
            count <= 0 ? 0 : count >= 64 ? .max : ~(UInt64.max >> UInt64(count))
        }
        return (high ^ other.high) & mask(bits) == 0 && (low ^ other.low) & mask(bits - 64) == 0
    }
}

/// Addresses with the same first bits, such as `10.0.0.0/8` or `fd00::/8`, or a single address.
public struct AddressRange: Hashable, Sendable {
    private let first: NetworkAddress
    private let bits: Int

    public init?(_ text: some StringProtocol) {
        let parts = text.trimmed.split(separator: "/", omittingEmptySubsequences: false)
        guard let head = parts.first, parts.count <= 2, let first = NetworkAddress(head)
        else { return nil }
        self.first = first
        guard parts.count == 2 else {
            bits = 128
            return
        }
        let most = first.isShort ? 32 : 128
        guard let given = Int(parts[1]), (0...most).contains(given) else { return nil }
        bits = given + (first.isShort ? 96 : 0)
    }

    /// Parses ranges separated by commas. Nil if any of them is malformed.
    public static func list(_ text: String) -> [AddressRange]? {
        let parts = text.split(separator: ",").filter { !$0.trimmed.isEmpty }
        let ranges = parts.compactMap { AddressRange($0) }
        return ranges.count == parts.count ? ranges : nil
    }

    public func contains(_ address: NetworkAddress) -> Bool {
        address.matches(first, bits: bits)
    }
}

extension StringProtocol {
    /// The text without spaces and tabs around it.
    fileprivate var trimmed: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let first = firstIndex(where: { !isSpace($0) }),
            let last = lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(self[first...last])
    }
}
