import Events
import Wire

extension SampleEvents {
    static let taps: [(name: String, event: any WireEvent)] = [
        (
            "tap-recorded",
            TapRecorded(
                scan: scan, place: .location(LocationID("S6.01-door")),
                author: "0193b2a4-7c3e-7a10-8000-00000000beef")
        ),
        ("tap-recorded-visitor", visitorsTap),
    ]

    private static let visitorsTap: TapRecorded = {
        let pseudonym = "anon-1c8f9a0-0123456789abcdef0123456789abcdef"
        return TapRecorded(
            scan: ScanRecorded(
                id: scanID, site: SiteID("bush-house"), device: DeviceID(pseudonym),
                scanner: ScannerID(pseudonym), at: moment, receivedAt: moment,
                wifi: [WiFiReading(bssid: HardwareAddress(value: 1), rssi: -60)]),
            place: .metres(floor: FloorID("south-6"), x: 12, y: 3.5), author: pseudonym)
    }()
}

extension RandomEvents {
    mutating func tap() -> TapRecorded {
        TapRecorded(scan: scan(), place: place(), author: text(40))
    }
}
