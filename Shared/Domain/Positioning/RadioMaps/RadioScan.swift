public import Events
public import Site

/// One transmitter and its strength in dBm.
public struct RadioReading: Hashable, Sendable {
    public var transmitter: Transmitter
    public var rssi: Int8

    public init(transmitter: Transmitter, rssi: Int8) {
        self.transmitter = transmitter
        self.rssi = rssi
    }
}

/// The measured distance between a device and a transmitter, or a node that hears it.
public struct RadioRange: Hashable, Sendable {
    public var transmitter: Transmitter
    public var distance: MeasuredDistance

    public init(transmitter: Transmitter, distance: MeasuredDistance) {
        self.transmitter = transmitter
        self.distance = distance
    }
}

/// The input of a positioner: one scan, reduced to the parts that help to locate it.
public struct RadioScan: Hashable, Sendable {
    /// Readings older than this are left out. At walking pace they belong to a place some ten
    /// metres away.
    public static let oldestReadingMilliseconds = 10_000

    /// Ordered by transmitter, at most one for each.
    public let readings: [RadioReading]
    /// The time of the scan by the server's clock.
    public var at: Timestamp
    /// The time of the device's newest scan before this one, where it is known. The stored state
    /// may be older, while it serves a device at rest.
    public var previousAt: Timestamp?
    public var steps: Int?
    public var headingDegrees: Double?
    public var speedMetresPerSecond: Double?
    /// The air pressure in hPa.
    public var pressureHectopascals: Double?
    public var gnss: SatelliteFix?
    /// Evidence of places that comes from neither radio nor satellites.
    public var evidence: [PlaceEvidence] = []
    /// The distances that radios measured.
    public var ranges: [RadioRange] = []
    /// All Bluetooth readings with a strength, as sent, including what beacons report about
    /// themselves.
    public var bluetooth: [BluetoothReading] = []

    /// If a transmitter has several readings, the strongest is kept.
    public init(readings: [RadioReading], at: Timestamp) {
        let sorted = readings.sorted { left, right in
            if left.transmitter == right.transmitter { return left.rssi > right.rssi }
            return left.transmitter < right.transmitter
        }
        var kept: [RadioReading] = []
        kept.reserveCapacity(sorted.count)
        for reading in sorted where kept.last?.transmitter != reading.transmitter {
            kept.append(reading)
        }
        self.readings = kept
        self.at = at
    }

    /// - Parameter beacons: the site's beacons, whose batteries are taken out of the readings; nil
    ///   where none of them sends its battery in its major.
    public init(_ scan: ScanRecorded, beacons: BeaconTable? = nil) {
        var readings: [RadioReading] = []
        var ranges: [RadioRange] = []
        readings.reserveCapacity(scan.wifi.count + scan.ble.count + scan.heardBy.count)
        for reading in scan.wifi {
            if let age = reading.ageMilliseconds, age > Self.oldestReadingMilliseconds { continue }
            let transmitter = Transmitter.wifi(reading.bssid)
            if let distance = reading.distance {
                ranges.append(RadioRange(transmitter: transmitter, distance: distance))
            }
            readings.append(RadioReading(transmitter: transmitter, rssi: narrow(reading.rssi)))
        }
        // iOS gives 0 dBm for a strength that it does not know.
        let measured =
            scan.ble.contains { $0.rssi >= 0 } ? scan.ble.filter { $0.rssi < 0 } : scan.ble
        for var reading in measured {
            beacons?.removeBattery(from: &reading)
            guard let transmitter = reading.transmitter else { continue }
            readings.append(RadioReading(transmitter: transmitter, rssi: narrow(reading.rssi)))
        }
        for reading in scan.heardBy {
            let transmitter = Transmitter.node(reading.scanner)
            if let distance = reading.distance {
                ranges.append(RadioRange(transmitter: transmitter, distance: distance))
            }
            readings.append(RadioReading(transmitter: transmitter, rssi: narrow(reading.rssi)))
        }
        self.init(readings: readings, at: scan.correctedAt)
        steps = scan.steps
        headingDegrees = scan.headingDegrees
        speedMetresPerSecond = scan.speedMetresPerSecond
        pressureHectopascals = scan.pressureHectopascals
        gnss = scan.gnss
        bluetooth = measured
        self.ranges = ranges
    }
}

extension BluetoothReading {
    /// The beacon's region if it has one, otherwise the address; nil for a reading with neither.
    public var transmitter: Transmitter? {
        if let uuid { return .beacon(uuid: uuid, major: major ?? 0, minor: minor ?? 0) }
        return address.map { .bluetooth($0) }
    }
}

/// Converts a reading to a byte. Accepted scans are within -120 to 0 dBm already.
private func narrow(_ rssi: Int) -> Int8 { Int8(clamping: min(0, rssi)) }
