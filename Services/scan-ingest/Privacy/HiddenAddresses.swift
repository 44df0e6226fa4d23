import Events
import Privacy
import Wire

/// Finds hardware addresses in a record that are in no field of the scan. A sender may have put
/// them into members that nobody reads, or into the record's key.
enum HiddenAddresses {
    private static let digits = 12

    /// Whether the bytes hold an address that is none of the scan's own readings.
    ///
    /// - Parameter scan: nil where no address may be there.
    static func areIn(_ bytes: [UInt8], beside scan: ScanSubmission?) -> Bool {
        var own: Set<HardwareAddress> = []
        if let scan {
            own = Set(scan.wifi.map(\.bssid)).union(scan.ble.compactMap(\.address))
            if let address = scan.device.flatMap({ HardwareAddress($0) }) { own.insert(address) }
            if let scanner = scan.scanner, let address = HardwareAddress(DeviceID(scanner.text)) {
                own.insert(address)
            }
        }
        return all(in: bytes).contains { !own.contains($0) }
    }

    /// Runs of twelve hex digits, with or without a separator between pairs. A longer run is
    /// something else, such as a UUID or a hash.
    private static func all(in bytes: [UInt8]) -> [HardwareAddress] {
        var found: [HardwareAddress] = []
        var start = 0
        while start < bytes.count {
            guard hex(bytes[start]) != nil else {
                start += 1
                continue
            }
            var end = start
            var value: UInt64 = 0
            var count = 0
            var sincePair = 0
            while end < bytes.count {
                if let digit = hex(bytes[end]) {
                    value = value << 4 | digit
                    count += 1
                    sincePair += 1
                } else if sincePair == 2, end + 1 < bytes.count, isSeparator(bytes[end]),
                    hex(bytes[end + 1]) != nil
                {
                    sincePair = 0
                } else {
                    break
                }
                end += 1
            }
            let isInUUID =
                start > 1 && isSeparator(bytes[start - 1]) && hex(bytes[start - 2]) != nil
            if count == digits, !isInUUID { found.append(HardwareAddress(value: value)) }
            start = end
        }
        return found
    }

    private static func hex(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        [UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_")].contains(byte)
    }
}
