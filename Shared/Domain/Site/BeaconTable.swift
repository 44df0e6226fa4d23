public import Events
import Geometry

/// The beacons of a site by what they send.
public struct BeaconTable: Sendable {
    /// The numbers by which a record names a beacon; nil stands for any number.
    private struct Name: Hashable {
        var uuid: EventID
        var major: UInt16?
        var minor: UInt16?
    }

    /// Whether any enabled beacon is in a group.
    public let hasGroups: Bool
    private let byteByUUID: [EventID: BatteryByte]
    private let byName: [Name: Int]
    private let byAddress: [HardwareAddress: Int]

    /// If two records fit one beacon alike, the first of the document counts. So does the first
    /// that states where its UUID has the battery.
    public init(_ document: SiteDocument) {
        var (bytes, names): ([EventID: BatteryByte], [Name: Int]) = ([:], [:])
        var addresses: [HardwareAddress: Int] = [:]
        for (index, beacon) in document.beacons.enumerated() {
            if let address = beacon.address, addresses[address] == nil {
                addresses[address] = index
            }
            guard let uuid = beacon.uuid else { continue }
            if let byte = beacon.batteryByte, bytes[uuid] == nil { bytes[uuid] = byte }
            let name = Name(
                uuid: uuid, major: beacon.major.map { UInt16(clamping: $0) },
                minor: beacon.minor.map { UInt16(clamping: $0) })
            if names[name] == nil { names[name] = index }
        }
        (byteByUUID, byName, byAddress) = (bytes, names, addresses)
        hasGroups = document.beacons.contains { $0.group != nil && !$0.isDisabled }
    }

    public var isEmpty: Bool { byName.isEmpty && byAddress.isEmpty }

    /// Whether any beacon sends its battery in its major.
    public var hasBatteries: Bool { !byteByUUID.isEmpty }

    /// Whether scans may have the battery of this record's beacon. A UUID without both numbers
    /// stands for many beacons. A record without a UUID is found by its address, and its beacon may
    /// send any UUID.
    public func hasBattery(_ beacon: SiteBeacon) -> Bool {
        guard let uuid = beacon.uuid else { return hasBatteries }
        return byteByUUID[uuid] != nil && beacon.major != nil && beacon.minor != nil
    }

    /// Removes the battery's level from a reading's major, so that the beacon stays the same while
    /// its battery runs down.
    ///
    /// - Returns: the level in percent; nil where the beacon does not send it in its major.
    @discardableResult
    public func removeBattery(from reading: inout BluetoothReading) -> Int? {
        guard let uuid = reading.uuid, let byte = byteByUUID[uuid], let sent = reading.major
        else { return nil }
        let (major, percent) = byte.split(sent)
        reading.major = major
        return percent
    }

    /// The same for all readings of a scan.
    public func removeBatteries(from scan: inout ScanRecorded) {
        guard !byteByUUID.isEmpty else { return }
        for index in scan.ble.indices { removeBattery(from: &scan.ble[index]) }
    }

    /// The index in the document of the beacon that sent a reading without its battery; nil for
    /// others.
    ///
    /// The most specific record counts. One has both numbers, then one a minor, then one a major,
    /// then one the UUID alone, then one the address.
    public func beacon(_ reading: BluetoothReading) -> Int? {
        if let uuid = reading.uuid {
            let (major, minor) = (reading.major, reading.minor)
            let names = [(major, minor), (nil, minor), (major, nil), (nil, nil)]
            for (major, minor) in names {
                if let index = byName[Name(uuid: uuid, major: major, minor: minor)] {
                    return index
                }
            }
        }
        return reading.address.flatMap { byAddress[$0] }
    }
}

extension BatteryByte {
    /// The major without the battery, and the battery's level in percent. A byte above 100 is no
    /// percentage; then the level is nil.
    ///
    /// Flair 4.1.2 and 4.3 leave the layout open; here one byte is the percentage and the other the
    /// major.
    public func split(_ sent: UInt16) -> (major: UInt16, percent: Int?) {
        let (battery, major) =
            switch self {
            case .high: (sent >> 8, sent & 0xFF)
            case .low: (sent & 0xFF, sent >> 8)
            }
        return (major, battery <= 100 ? Int(battery) : nil)
    }
}

extension SiteDocument {
    /// Whether it states places of nodes or beacons, by which devices are located before any
    /// survey.
    public var locatesWithoutSurveys: Bool { !scanners.isEmpty || !beacons.isEmpty }

    /// One record for each UUID whose majors hold a battery, with nothing else.
    var batteryMarks: [SiteBeacon] {
        var marks: [EventID: SiteBeacon] = [:]
        for beacon in beacons {
            guard let uuid = beacon.uuid, let byte = beacon.batteryByte, marks[uuid] == nil
            else { continue }
            marks[uuid] = SiteBeacon(
                id: BeaconID(byte.rawValue), floor: FloorID(""), point: [0, 0], uuid: uuid,
                batteryByte: byte)
        }
        return marks.sorted { $0.key < $1.key }.map(\.value)
    }
}
