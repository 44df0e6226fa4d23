import Events
import Site

/// The beacons with records at the site that a scan received.
struct HeardBeacons {
    /// The groups of the enabled ones, strongest first.
    private(set) var groups: [DeviceGroups.Heard] = []
    /// The batteries in percent, of those that have a record of their own (`hasBattery`).
    private(set) var batteries: [BeaconID: Int] = [:]

    init(_ scan: ScanRecorded, at site: SiteIndex?) {
        guard let site, site.beacons.hasGroups || site.beacons.hasBatteries else { return }
        var strongest: [BeaconGroupID: (rssi: Int, floor: FloorID)] = [:]
        for var reading in scan.ble {
            let percent = site.beacons.removeBattery(from: &reading)
            guard let index = site.beacons.beacon(reading) else { continue }
            let beacon = site.document.beacons[index]
            if let percent, site.beacons.hasBattery(beacon) { batteries[beacon.id] = percent }
            guard let group = beacon.group, !beacon.isDisabled,
                reading.rssi > strongest[group]?.rssi ?? .min
            else { continue }
            strongest[group] = (reading.rssi, beacon.floor)
        }
        groups = strongest.sorted { ($1.value.rssi, $0.key) < ($0.value.rssi, $1.key) }
            .map { DeviceGroups.Heard(group: $0.key, floor: $0.value.floor) }
    }
}
