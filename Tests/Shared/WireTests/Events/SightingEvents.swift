import Events
import Wire

extension SampleEvents {
    static let sightings: [(name: String, event: any WireEvent)] = [
        ("sighting-reported", sighting(MeasuredDistance(metres: 3.25, deviation: 0.5))),
        ("sighting-reported-plain", sighting(nil)),
    ]

    private static func sighting(_ distance: MeasuredDistance?) -> SightingReported {
        SightingReported(
            id: scanID, site: SiteID("bush-house"),
            device: DeviceID("anon-1c8f9a0-0123456789abcdef0123456789abcdef"),
            scanner: ScannerID("node-7"), at: moment,
            receivedAt: Timestamp(milliseconds: 1_795_248_000_250), rssi: -71,
            distance: distance)
    }
}

extension RandomEvents {
    mutating func sighting() -> SightingReported {
        SightingReported(
            id: id(), site: SiteID(name()), device: DeviceID(name()), scanner: ScannerID(name()),
            at: time(), receivedAt: time(), rssi: integer(-120...0),
            distance: maybe { $0.distance() })
    }
}
