public import Events

/// The sender of a reading; or the node that received the device, where nodes locate it.
public enum Transmitter: Hashable, Sendable {
    /// A Wi-Fi access point by its BSSID.
    case wifi(HardwareAddress)
    /// An iBeacon by its region; a missing major or minor counts as 0.
    case beacon(uuid: EventID, major: UInt16, minor: UInt16)
    /// Any other Bluetooth sender by its address.
    case bluetooth(HardwareAddress)
    /// A node on the wall that receives the device.
    case node(ScannerID)
}

extension Transmitter: CustomStringConvertible {
    /// The text form, such as `wifi/00:62:ec:fd:ec:50`, `beacon/f7826da6-…/80/3`, `ble/…` or
    /// `node/node-7`.
    public var description: String {
        switch self {
        case .wifi(let address): "wifi/\(colonForm(address))"
        case .beacon(let uuid, let major, let minor): "beacon/\(uuid)/\(major)/\(minor)"
        case .bluetooth(let address): "ble/\(colonForm(address))"
        case .node(let scanner): "node/\(scanner)"
        }
    }
}

extension Transmitter: Comparable {
    /// Compares kind, then value. Radio maps list their transmitters in this order.
    public static func < (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.wifi(let a), .wifi(let b)), (.bluetooth(let a), .bluetooth(let b)):
            a < b
        case (.beacon(let a, let majorA, let minorA), .beacon(let b, let majorB, let minorB)):
            (a, majorA, minorA) < (b, majorB, minorB)
        case (.node(let a), .node(let b)): a < b
        default: left.rank < right.rank
        }
    }

    private var rank: Int {
        switch self {
        case .wifi: 0
        case .beacon: 1
        case .bluetooth: 2
        case .node: 3
        }
    }
}

private func colonForm(_ address: HardwareAddress) -> String {
    String(unsafeUninitializedCapacity: 17) { buffer in
        var position = 0
        for index in 0..<12 {
            if index > 0, index & 1 == 0 {
                buffer[position] = UInt8(ascii: ":")
                position += 1
            }
            let nibble = UInt8(truncatingIfNeeded: address.value >> UInt64(44 - 4 * index)) & 15
            buffer[position] =
                nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
            position += 1
        }
        return position
    }
}
