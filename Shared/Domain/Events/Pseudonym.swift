/// The id of a device that others heard and that nobody enrolled: a keyed hash in place of its
/// address.
///
/// The id also tells when its key ends. From then on the same device has another id, and nobody
/// can connect the two once the key is deleted.
public struct Pseudonym: Hashable, Sendable {
    /// The text is `anon-`, the minutes from 1970 to the end in hex, `-`, and the hash in hex.
    private static let prefix = "anon-"
    public static let hashBytes = 16
    private static let microsecondsPerMinute: Int64 = 60_000_000
    /// The digits of the minutes, which last until the year 10136. Senders choose ids, and ten
    /// digits would overflow the microseconds.
    private static let mostDigits = 8

    /// The end of the key, in whole minutes.
    public let ends: Timestamp
    public let hash: [UInt8]

    /// - Parameters:
    ///   - ends: is rounded up to a minute.
    ///   - hash: `hashBytes` bytes.
    public init(ends: Timestamp, hash: [UInt8]) {
        precondition(hash.count == Self.hashBytes)
        let minutes = (max(0, ends.microseconds) + Self.microsecondsPerMinute - 1)
        self.ends = Timestamp(
            microseconds: minutes - minutes % Self.microsecondsPerMinute)
        self.hash = hash
    }

    /// Nil for the id of an enrolled device.
    public init?(_ device: DeviceID) {
        guard device.text.hasPrefix(Self.prefix) else { return nil }
        let parts = device.text.dropFirst(Self.prefix.count).split(
            separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count == 2 * Self.hashBytes,
            parts[0].utf8.count <= Self.mostDigits,
            let minutes = Int64(parts[0], radix: 16), minutes >= 0
        else { return nil }
        var hash: [UInt8] = []
        var rest = parts[1].utf8[...]
        while !rest.isEmpty {
            guard let byte = UInt8(Substring(rest.prefix(2)), radix: 16) else { return nil }
            hash.append(byte)
            rest = rest.dropFirst(2)
        }
        self.init(
            ends: Timestamp(microseconds: minutes * Self.microsecondsPerMinute), hash: hash)
        // One device has one text: no signs, no capitals, no leading zeros.
        guard self.device == device else { return nil }
    }

    public var device: DeviceID {
        let minutes = String(ends.microseconds / Self.microsecondsPerMinute, radix: 16)
        let digits = hash.map { byte in
            byte < 16 ? "0" + String(byte, radix: 16) : String(byte, radix: 16)
        }
        return DeviceID(Self.prefix + minutes + "-" + digits.joined())
    }
}
