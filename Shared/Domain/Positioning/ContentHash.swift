public import Events

/// A hash of what a scan or survey says, the same in every process and version of Swift (FNV-1a,
/// 64 bits, draft-eastlake-fnv; folded to 32 where less will do).
///
/// When it was sent and when it arrived are left out: a retry of the same scan differs in both. So
/// is its own time where the sender gave no time at all: then it is that of the arrival.
public struct ContentHash: Sendable {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    public static func of(_ scan: ScanRecorded) -> UInt64 {
        var hash = ContentHash()
        hash.add(scan)
        return hash.state
    }

    public static func of(_ survey: SurveyRecorded) -> UInt64 {
        var hash = ContentHash()
        hash.add(survey.scan)
        switch survey.place {
        case .location(let id):
            hash.add(text: "location")
            hash.add(text: id.text)
        case .metres(let floor, let x, let y):
            hash.add(text: "metres")
            hash.add(text: floor.text)
            hash.add(x.bitPattern)
            hash.add(y.bitPattern)
        case .geographic(let floor, let latitude, let longitude):
            hash.add(text: "geographic")
            hash.add(text: floor.text)
            hash.add(latitude.bitPattern)
            hash.add(longitude.bitPattern)
        }
        return hash.state
    }

    /// Both halves of a hash in 32 bits.
    public static func folded(_ hash: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
    }

    private mutating func add(_ scan: ScanRecorded) {
        add(text: scan.site.text)
        add(text: scan.device.text)
        add(text: scan.scanner.text)
        if scan.sentAt != nil || scan.at != scan.receivedAt { add(scan.at.microseconds) }
        add(UInt64(scan.wifi.count))
        for reading in scan.wifi {
            add(reading.bssid.value)
            add(reading.rssi)
            add(reading.frequency)
            add(reading.ageMilliseconds)
        }
        add(UInt64(scan.ble.count))
        for reading in scan.ble {
            add(reading.uuid?.high ?? 0)
            add(reading.uuid?.low ?? 0)
            add(reading.major.map { Int($0) })
            add(reading.minor.map { Int($0) })
            add(reading.address?.value ?? 0)
            add(reading.rssi)
        }
        add(UInt64(scan.heardBy.count))
        for reading in scan.heardBy {
            add(text: reading.scanner.text)
            add(reading.rssi)
        }
        add(scan.steps)
        add((scan.headingDegrees ?? -1).bitPattern)
        add((scan.speedMetresPerSecond ?? -1).bitPattern)
    }

    private mutating func add(text: String) {
        for byte in text.utf8 { add(byte) }
        // A byte that UTF-8 never has ends the text, so that "ab" + "c" is not "a" + "bc".
        add(UInt8(0xFF))
    }

    private mutating func add(_ value: Int?) {
        add(value == nil ? UInt8(0) : UInt8(1))
        if let value { add(UInt64(bitPattern: Int64(value))) }
    }

    private mutating func add(_ value: Int64) { add(UInt64(bitPattern: value)) }

    private mutating func add(_ value: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            add(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    private mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
