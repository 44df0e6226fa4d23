public import Events
public import Geometry
public import Site

/// The reasons for a positioner's estimate, as far as the scan itself shows them.
public struct Explanation: Sendable {
    /// How one reading was used, or why it was not.
    public enum Use: String, Hashable, Sendable, CaseIterable {
        case used
        /// The reading was older than `RadioScan.oldestReadingMilliseconds`.
        case tooOld = "too-old"
        /// The transmitter is neither in the radio map nor in the positioner's other data.
        case unknownToMap = "unknown-to-map"
        /// A stronger reading of the same transmitter was in the same scan.
        case repeated
        /// The reading has no address or region to identify it by.
        case unnamed
    }

    public struct Reading: Hashable, Sendable {
        /// Nil for an unnamed transmitter.
        public var transmitter: Transmitter?
        public var rssi: Int
        public var use: Use
    }

    /// A place where the scan may have been made.
    public struct Place: Hashable, Sendable {
        public var floor: FloorID
        public var room: RoomID?
        public var point: Point
        /// The weights of all places sum up to one, including places that are not listed.
        public var weight: Double
    }

    /// The number of places that are listed, heaviest first. The others are only counted.
    public static let mostPlaces = 30

    public var readings: [Reading]
    public var places: [Place]
    public var placeCount: Int
    /// The share of each floor among all places, the largest first.
    public var floors: [(floor: FloorID, share: Double)]
    /// The estimate from the scan alone.
    public var estimate: Estimate

    /// Locates the scan alone with the positioner. One that weighs no surveyed places, such as an
    /// external program, gives no places.
    ///
    /// - Parameters:
    ///   - map: the radio map with the site's floors without surveys (`StatedFloors`), as the
    ///     positioner numbers them.
    ///   - beacons: the site's beacons, whose batteries are taken out of readings.
    public init(
        _ scan: ScanRecorded, by positioner: any PreparedPositioner, on map: RadioMap,
        beacons: BeaconTable? = nil
    ) {
        var scratch = PositionerScratch()
        let radio = RadioScan(scan, beacons: beacons)
        estimate =
            positioner.locate(
                radio, state: .empty, seed: scan.id.low, scratch: &scratch
            ).estimate
        let selective = positioner as? any SelectivePositioner
        let known = selective == nil ? Set(map.transmitters) : []
        var heard = scan
        beacons?.removeBatteries(from: &heard)
        readings = Self.readings(heard) { selective?.uses($0) ?? known.contains($0) }
        let total = scratch.candidates.reduce(0) { $0 + $1.weight }
        var shares: [FloorID: Double] = [:]
        let all = scratch.candidates.filter { $0.weight > 0 }.map { candidate in
            Place(
                floor: map.floors[Int(candidate.floor)],
                room: candidate.room < 0 ? nil : map.rooms[Int(candidate.room)],
                point: candidate.point, weight: candidate.weight / total)
        }
        for place in all { shares[place.floor, default: 0] += place.weight }
        floors = shares.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { (floor: $0.key, share: $0.value) }
        placeCount = all.count
        places = Array(all.sorted { $0.weight > $1.weight }.prefix(Self.mostPlaces))
    }

    private static func readings(
        _ scan: ScanRecorded, isKnown: (Transmitter) -> Bool
    ) -> [Reading] {
        var heard: [(transmitter: Transmitter?, rssi: Int, age: Int)] = []
        heard += scan.wifi.map { (.wifi($0.bssid), $0.rssi, $0.ageMilliseconds ?? 0) }
        heard += scan.ble.map { ($0.transmitter, $0.rssi, 0) }
        heard += scan.heardBy.map { (.node($0.scanner), $0.rssi, 0) }
        // The readings that the positioner received and that are not yet accounted for.
        var unlisted = Set(RadioScan(scan).readings)
        return heard.map { reading in
            guard let transmitter = reading.transmitter else {
                return Reading(transmitter: nil, rssi: reading.rssi, use: .unnamed)
            }
            let use: Use
            if reading.age > RadioScan.oldestReadingMilliseconds {
                use = .tooOld
            } else if unlisted.remove(
                RadioReading(
                    transmitter: transmitter, rssi: Int8(clamping: min(0, reading.rssi)))) == nil
            {
                use = .repeated
            } else {
                use = isKnown(transmitter) ? .used : .unknownToMap
            }
            return Reading(transmitter: transmitter, rssi: reading.rssi, use: use)
        }
    }
}
