import Events
import Foundation
import Wire

/// Scans as devices send them, made up but always the same.
struct ScanSamples {
    static let site = SiteID("bush-house")
    static let floor = FloorID("0")
    static let readings = 25

    private var random: UInt64

    init(seed: UInt64) { random = seed }

    /// A scan of 25 readings: five networks of each of some access points.
    mutating func scan(device: Int, id: EventID, at: Timestamp) -> ScanSubmission {
        var scan = ScanSubmission(at: at, receivedAt: at)
        scan.id = id
        scan.site = Self.site
        scan.device = DeviceID("pi-\(1_000 + device)")
        scan.scanner = ScannerID("pi-\(1_000 + device)")
        scan.sentAt = at
        for reading in 0..<Self.readings {
            let accessPoint = next() % 400
            scan.wifi.append(
                WiFiReading(
                    bssid: HardwareAddress(
                        value: 0x0062_ECFD_0000 | accessPoint << 4 | UInt64(reading % 5)),
                    ssid: ["eduroam", "The Cloud", "Guests", "KCL-IoT", "staff"][reading % 5],
                    rssi: -40 - Int(next() % 52), frequency: next() % 2 == 0 ? 5_180 : 2_437,
                    ageMilliseconds: Int(next() % 1_000)))
        }
        return scan
    }

    /// Steele's SplitMix64.
    private mutating func next() -> UInt64 {
        random &+= 0x9E37_79B9_7F4A_7C15
        var word = random
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
