import Events
import Foundation
import SeededRandomness
import Wire

/// Generates scans as devices send them; every run generates the same ones.
struct ScanSamples {
    static let site = SiteID("bush-house")
    static let floor = FloorID("0")
    static let readings = 25

    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// A scan of 25 readings: five of each of five networks, of access points drawn from 400.
    mutating func scan(device: Int, id: EventID, at: Timestamp) -> ScanSubmission {
        var scan = ScanSubmission(at: at, receivedAt: at)
        scan.id = id
        scan.site = Self.site
        scan.device = DeviceID("pi-\(1_000 + device)")
        scan.scanner = ScannerID("pi-\(1_000 + device)")
        scan.sentAt = at
        for reading in 0..<Self.readings {
            let accessPoint = random.next() % 400
            scan.wifi.append(
                WiFiReading(
                    bssid: HardwareAddress(
                        value: 0x0062_ECFD_0000 | accessPoint << 4 | UInt64(reading % 5)),
                    ssid: ["eduroam", "The Cloud", "Guests", "KCL-IoT", "staff"][reading % 5],
                    rssi: -40 - Int(random.next() % 52),
                    frequency: random.next() % 2 == 0 ? 5_180 : 2_437,
                    ageMilliseconds: Int(random.next() % 1_000)))
        }
        return scan
    }
}
