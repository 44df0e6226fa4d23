internal import Events

/// Reads the attributes of nl80211's message with one heard network (linux/nl80211.h).
///
/// An attribute is two bytes of length with its head, two of type, the value, and up to a multiple
/// of four. The numbers have the machine's order of bytes; all of Linux's boards here are little
/// endian.
enum NetlinkAttributes {
    private static let network: UInt16 = 47
    private enum Member: UInt16 {
        case bssid = 1
        case frequency = 2
        case elements = 6
        case strength = 7
        case age = 10
        case beaconElements = 11
    }

    /// - Parameter message: the bytes after the head of generic netlink.
    static func network(in message: [UInt8]) -> HeardNetwork? {
        var found: HeardNetwork?
        forEach(message[...]) { type, value in
            if type == network { found = read(value) }
        }
        return found
    }

    private static func read(_ bytes: ArraySlice<UInt8>) -> HeardNetwork? {
        var address: HardwareAddress?
        var heard = HeardNetwork(bssid: HardwareAddress(value: 0))
        forEach(bytes) { type, value in
            switch Member(rawValue: type) {
            case .bssid where value.count == 6:
                address = HardwareAddress(value: value.reduce(0) { $0 << 8 | UInt64($1) })
            case .frequency:
                heard.frequency = word(value).map { Int($0) }
            case .strength:
                // In hundredths of a dBm.
                heard.rssi = word(value).map {
                    Int((Double(Int32(bitPattern: $0)) / 100).rounded())
                }
            case .age:
                heard.ageMilliseconds = word(value).map { Int($0) }
            case .elements, .beaconElements:
                if heard.text == nil { heard.name = name(in: value) ?? heard.name }
            default: break
            }
        }
        guard let address else { return nil }
        heard.bssid = address
        return heard
    }

    /// The name in a frame's elements: a byte of id, a byte of length, the value; id 0 is the SSID.
    private static func name(in elements: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = elements
        while rest.count >= 2 {
            let count = Int(rest[rest.startIndex + 1])
            let body = rest.dropFirst(2)
            guard body.count >= count else { return nil }
            if rest[rest.startIndex] == 0 { return count <= 32 ? Array(body.prefix(count)) : nil }
            rest = body.dropFirst(count)
        }
        return nil
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt32? {
        guard bytes.count == 4 else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func forEach(
        _ bytes: ArraySlice<UInt8>, _ body: (UInt16, ArraySlice<UInt8>) -> Void
    ) {
        var rest = bytes
        while rest.count >= 4 {
            let start = rest.startIndex
            let count = Int(rest[start]) | Int(rest[start + 1]) << 8
            // The two highest bits say that the value is nested, or in network order.
            let type = (UInt16(rest[start + 2]) | UInt16(rest[start + 3]) << 8) & 0x3FFF
            guard count >= 4, count <= rest.count else { return }
            body(type, rest.dropFirst(4).prefix(count - 4))
            rest = rest.dropFirst(min(rest.count, (count + 3) & ~3))
        }
    }
}
