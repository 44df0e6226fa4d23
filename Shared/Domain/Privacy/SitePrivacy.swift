public import Events

/// All that scan-ingest has to know of a site to store a scan of a device that others heard.
public struct SitePrivacy: Hashable, Sendable {
    /// A device that its owner enrolled with the key behind its changing addresses.
    public struct Identity: Hashable, Sendable {
        public var device: DeviceID
        /// The device's identity resolving key: 16 bytes.
        public var key: [UInt8]

        public init(device: DeviceID, key: [UInt8]) {
            self.device = device
            self.key = key
        }
    }

    public var keys: DayKeys
    /// The devices that keep their ids.
    public var enrolled: Set<DeviceID>
    public var identities: [Identity]

    public init(
        keys: DayKeys = DayKeys([]), enrolled: Set<DeviceID> = [], identities: [Identity] = []
    ) {
        self.keys = keys
        self.enrolled = enrolled
        self.identities = identities
    }
}

extension HardwareAddress {
    /// Reads an address that is a device's id: twelve hex digits, or six pairs of them with `-`,
    /// `.` or `_` between. Nil for any other id.
    public init?(_ device: DeviceID) {
        var value: UInt64 = 0
        var digits = 0
        for byte in device.text.utf8 {
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
                let isSeparator = [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_")]
                    .contains(byte)
                guard isSeparator, digits > 0, digits % 2 == 0 else { return nil }
                continue
            }
            digits += 1
            guard digits <= 12 else { return nil }
            value = value << 4 | UInt64(digit)
        }
        guard digits == 12 else { return nil }
        self.init(value: value)
    }
}
