public import Events

/// The key of a record of `locator-state`.
///
/// `site/device/states` is the memory of positioners, `site/device/visits` are the zones that the
/// device is in, and `site/device/groups` its groups of beacons. `site/device/number` is a bucket
/// of scans that a former release wrote. The partition's seen scans have the keys of
/// `SeenSegmentKey`.
public struct DeviceStateKey: Hashable, Sendable {
    public enum Part: Hashable, Sendable {
        case bucket(UInt32)
        case memory
        case visits
        case groups
    }

    public var device: DeviceKey
    public var part: Part

    public init(_ device: DeviceKey, _ part: Part) {
        self.device = device
        self.part = part
    }

    /// Nil for other keys, which later releases may add.
    public init?(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        device = DeviceKey(SiteID(String(parts[0])), DeviceID(String(parts[1])))
        switch parts[2] {
        case "states": part = .memory
        case "visits": part = .visits
        case "groups": part = .groups
        case let number:
            guard let number = UInt32(number) else { return nil }
            part = .bucket(number)
        }
    }

    public var bytes: [UInt8] {
        var bytes = RecordKey.bytes(device.site, device.device)
        bytes.append(UInt8(ascii: "/"))
        switch part {
        case .bucket(let number): bytes.append(contentsOf: String(number).utf8)
        case .memory: bytes.append(contentsOf: "states".utf8)
        case .visits: bytes.append(contentsOf: "visits".utf8)
        case .groups: bytes.append(contentsOf: "groups".utf8)
        }
        return bytes
    }
}

/// The key of a segment of seen scans in `locator-state`: `seen/number`.
public enum SeenSegmentKey {
    public static func bytes(_ number: UInt32) -> [UInt8] { Array("seen/\(number)".utf8) }

    /// The segment's number; nil for other keys.
    public static func number(_ bytes: [UInt8]) -> UInt32? {
        let prefix = Array("seen/".utf8)
        guard bytes.starts(with: prefix) else { return nil }
        return UInt32(String(decoding: bytes.dropFirst(prefix.count), as: UTF8.self))
    }
}
