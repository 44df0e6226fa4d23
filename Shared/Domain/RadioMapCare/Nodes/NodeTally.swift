public import Events
import Positioning
public import Site

/// Counts what nodes hear of senders with known places, by the hour. Scans of other devices add
/// nothing.
///
/// Two kinds of scans count. One is of a device that has the id of a placed scanner or beacon, and
/// says which nodes heard it. The other was made by a placed scanner itself, and has readings of
/// placed beacons.
public struct NodeTally: Sendable {
    /// The site's scanners and beacons.
    public struct References: Sendable {
        let scanners: Set<ScannerID>
        let beacons: Set<BeaconID>
        let beaconByTransmitter: [Transmitter: BeaconID]
        /// Takes batteries out of readings.
        let table: BeaconTable

        public init(_ document: SiteDocument) {
            scanners = Set(document.scanners.map(\.id))
            beacons = Set(document.beacons.map(\.id))
            table = BeaconTable(document)
            beaconByTransmitter = Dictionary(
                document.beacons.compactMap { beacon in
                    beacon.transmitter.map { ($0, beacon.id) }
                }, uniquingKeysWith: { first, _ in first })
        }

        /// Whether scans of the device may count.
        public func concern(_ device: DeviceID) -> Bool {
            scanners.contains(ScannerID(device.text)) || beacons.contains(BeaconID(device.text))
        }

        fileprivate func source(_ device: DeviceID) -> NodeSource? {
            if scanners.contains(ScannerID(device.text)) { return .node(ScannerID(device.text)) }
            let beacon = BeaconID(device.text)
            return beacons.contains(beacon) ? .beacon(beacon) : nil
        }
    }

    public struct Key: Hashable, Sendable {
        public var source: NodeSource
        /// Nil for the count of the windows in which several nodes heard the source.
        public var node: ScannerID?
        /// Hours since 1970.
        public var hour: Int

        public init(source: NodeSource, node: ScannerID?, hour: Int) {
            self.source = source
            self.node = node
            self.hour = hour
        }
    }

    public struct Count: Hashable, Sendable {
        public var windows = 0
        public var readings = 0
        /// The sum of the readings, in dBm.
        public var total = 0
        /// The windows in which this node alone heard the source. They are no readings.
        public var lone = 0

        public init(windows: Int = 0, readings: Int = 0, total: Int = 0, lone: Int = 0) {
            self.windows = windows
            self.readings = readings
            self.total = total
            self.lone = lone
        }
    }

    public var counts: [Key: Count] = [:]

    public init() {}

    public mutating func add(_ scan: ScanRecorded, _ references: References) {
        let hour = Int((scan.correctedAt.microseconds / 3_600_000_000))
        let own = ScannerID(scan.device.text)
        let heard = scan.heardBy.filter {
            references.scanners.contains($0.scanner) && $0.scanner != own
        }
        if let first = heard.first, let source = references.source(scan.device) {
            // One alone may hear what nobody else could, so these are counted apart.
            if heard.allSatisfy({ $0.scanner == first.scanner }) {
                let key = Key(source: source, node: first.scanner, hour: hour)
                counts[key, default: Count()].lone += 1
            } else {
                counts[Key(source: source, node: nil, hour: hour), default: Count()].windows += 1
                for reading in heard {
                    add(reading.rssi, Key(source: source, node: reading.scanner, hour: hour))
                }
            }
        }
        guard scan.scanner == own, references.scanners.contains(own) else { return }
        for var reading in scan.ble {
            references.table.removeBattery(from: &reading)
            guard let transmitter = reading.transmitter,
                let beacon = references.beaconByTransmitter[transmitter]
            else { continue }
            let key = Key(source: .beacon(beacon), node: own, hour: hour)
            counts[key, default: Count()].windows += 1
            add(reading.rssi, key)
        }
    }

    private mutating func add(_ rssi: Int, _ key: Key) {
        counts[key, default: Count()].readings += 1
        counts[key, default: Count()].total += rssi
    }

    /// The hearings of all pairs of which the node ever heard the source.
    public var hearings: [NodeHearing] {
        struct Pair: Hashable {
            var source: NodeSource
            var node: ScannerID
        }
        // The windows of each source, and those in which one node alone heard it.
        var all: [NodeSource: [Int: Count]] = [:]
        var pairs: [Pair: [Int: Count]] = [:]
        for (key, count) in counts {
            if let node = key.node {
                pairs[Pair(source: key.source, node: node), default: [:]][key.hour] = count
                guard count.lone > 0 else { continue }
                all[key.source, default: [:]][key.hour, default: Count()].lone += count.lone
            } else {
                all[key.source, default: [:]][key.hour, default: Count()].windows = count.windows
            }
        }
        var hearings: [NodeHearing] = []
        for (pair, own) in pairs {
            var hours = all[pair.source] ?? [:]
            for (hour, count) in own where count.windows > 0 {
                hours[hour, default: Count()].windows += count.windows
            }
            for (hour, count) in hours {
                let heard = own[hour] ?? Count()
                hearings.append(
                    NodeHearing(
                        source: pair.source, node: pair.node, hour: hour, windows: count.windows,
                        readings: heard.readings,
                        mean: Double(heard.total) / Double(max(1, heard.readings)),
                        loneWindows: count.lone, loneReadings: heard.lone))
            }
        }
        return hearings.sorted {
            ($0.source, $0.node, $0.hour) < ($1.source, $1.node, $1.hour)
        }
    }
}

extension SiteBeacon {
    /// The transmitter of its readings.
    fileprivate var transmitter: Transmitter? {
        if let uuid {
            return .beacon(
                uuid: uuid, major: UInt16(clamping: major ?? 0), minor: UInt16(clamping: minor ?? 0)
            )
        }
        return address.map { .bluetooth($0) }
    }
}
