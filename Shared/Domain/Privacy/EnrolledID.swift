public import Events

/// The random ids of enrolled devices: `d-` and 20 hex digits.
///
/// Such an id is given once and never again. So nothing may come under it before it was given, nor
/// after its device was erased.
public enum EnrolledID {
    /// The random bytes of an id.
    public static let bytes = 10
    private static let prefix = "d-"

    /// - Parameter random: `bytes` random bytes.
    public static func device(_ random: [UInt8]) -> DeviceID {
        precondition(random.count == bytes)
        let digits = random.flatMap { [$0 >> 4, $0 & 15] }
        return DeviceID(prefix + String(digits.map { Character(String($0, radix: 16)) }))
    }

    /// Whether an id has this form. People may choose other ids for devices, and use them again.
    public static func isOne(_ device: DeviceID) -> Bool {
        let text = device.text.utf8
        return text.count == prefix.utf8.count + 2 * bytes && device.text.hasPrefix(prefix)
            && text.dropFirst(prefix.utf8.count).allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
