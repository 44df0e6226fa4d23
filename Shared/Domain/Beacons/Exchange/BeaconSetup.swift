public import Events
import Geometry
public import Site

/// The beacons of a site as documents of Flair's set-up app, one for each floor and UUID, and back.
///
/// A document has one power and one path loss for all its beacons, and its groups have names. A
/// site's records have a power each. Fields that the other side can't hold are left out.
public enum BeaconSetup {
    /// The group of a document whose beacons are in no group of the site.
    public static let withoutGroup = BeaconGroupID("ungrouped")
    /// Metres of a document's map around its beacons.
    private static let marginMetres = 1.0

    /// Why documents can't go into the site, for people.
    public struct Fault: Error, Hashable, Sendable {
        /// At least one, and at most `BeaconLimits.faultsReported` of all documents together.
        public let details: [String]
        public var detail: String { details.joined(separator: "; ") }
    }

    /// A member of a document that no record of a site has.
    public struct LeftOut: Hashable, Sendable {
        /// The document's name.
        public let document: String
        public let detail: String
    }

    // MARK: Out

    /// The documents, in the order of the floors. Beacons without a UUID are left out.
    public static func documents(of site: SiteDocument) -> [BeaconDocument] {
        let map = BeaconMap(site)
        return site.floors.flatMap { floor in
            map.uuids.compactMap { uuid in
                let members = map.beacons.indices.map { BeaconIndex($0) }.filter {
                    map[$0].floor == floor.id && map[$0].uuid == uuid
                }
                guard !members.isEmpty else { return nil }
                return document(of: members, map, "\(site.name) \(floor.level)")
            }
        }
    }

    private static func document(
        of members: [BeaconIndex], _ map: BeaconMap, _ name: String
    ) -> BeaconDocument {
        let first = map[members[0]]
        let points = members.map { map[$0].point }
        let left = (points.map(\.x).min() ?? 0).rounded(.down) - marginMetres
        let bottom = (points.map(\.y).min() ?? 0).rounded(.down) - marginMetres
        var document = BeaconDocument(
            name: name, uuid: first.uuid, floor: first.floor,
            map: BeaconMapRecord(
                width: (points.map(\.x).max() ?? 0) - left + marginMetres,
                height: (points.map(\.y).max() ?? 0) - bottom + marginMetres, unitsPerMetre: 1,
                originX: left, originY: bottom),
            batteryByte: map.batteries[first.uuid]?.byte)
        let powers = Set(members.map { map[$0].powerAtOneMetre })
        // A power that is stated here would become that of all records, so it has to be theirs.
        if powers.count == 1 { document.pathLoss.powerAtOneMetre = first.powerAtOneMetre }
        var names: Set<BeaconName> = []
        var numbers: [BeaconGroupID: Int] = [:]
        for index in members {
            let beacon = map[index]
            var record = beacon.record
            // Two of one name are a fault of a document, and the first counts at a site.
            guard names.insert(BeaconName(major: record.major, minor: record.minor)).inserted
            else { continue }
            record.place = .absolute(x: beacon.point.x - left, y: beacon.point.y - bottom)
            record.proximity =
                beacon.proximity == ProximityThresholds() ? nil : beacon.proximity
            let group = map.groups[beacon.group.value]
            let id = group.id.text.isEmpty ? withoutGroup : group.id
            if numbers[id] == nil {
                numbers[id] = document.groups.count
                document.groups.append(BeaconGroupRecord(id: id, isRing: group.isRing))
            }
            document.groups[numbers[id] ?? 0].beacons.append(record)
        }
        for index in document.groups.indices where document.groups[index].beacons.count < 3 {
            document.groups[index].isRing = false
        }
        return document
    }

    // MARK: In

    /// The site with the documents' beacons. Beacons of the same UUID, major and minor keep their
    /// id, and those that no document names stay as they are.
    ///
    /// - Throws: all faults, where a document is not valid or names no floor of the site.
    public static func site(
        _ site: SiteDocument, with documents: [BeaconDocument]
    ) throws(Fault) -> (site: SiteDocument, leftOut: [LeftOut]) {
        var (site, leftOut) = (site, [LeftOut]())
        var taken = Set(site.beacons.map(\.id))
        var known: [Sent: Int] = [:]
        for (index, beacon) in site.beacons.enumerated().reversed() { known[Sent(beacon)] = index }
        let maps = try maps(of: documents, floors: Set(site.floors.map(\.id)))
        for (document, map) in zip(documents, maps) {
            for (number, group) in document.groups.enumerated() {
                for (place, index) in map.beacons(of: BeaconGroupIndex(number)).enumerated() {
                    var beacon = record(map[index], of: document, group, at: place)
                    if let index = known[Sent(beacon)] {
                        beacon.keep(site.beacons[index])
                        site.beacons[index] = beacon
                    } else {
                        beacon.id = freeID(group.id, place, &taken)
                        known[Sent(beacon)] = site.beacons.count
                        site.beacons.append(beacon)
                    }
                }
                if group.name != nil {
                    leftOut.append(
                        LeftOut(document: document.name, detail: "the name of group \(group.id)"))
                }
            }
            if document.pathLoss.exponent != PathLoss().exponent {
                leftOut.append(
                    LeftOut(document: document.name, detail: "the exponent of the path loss"))
            }
        }
        return (site, leftOut)
    }

    private static func maps(
        of documents: [BeaconDocument], floors: Set<FloorID>
    ) throws(Fault) -> [BeaconMap] {
        var (maps, details) = ([BeaconMap](), [String]())
        for document in documents {
            if let floor = document.floor {
                if !floors.contains(floor) {
                    details.append("\(document.name): the site has no floor \(floor)")
                }
            } else {
                details.append("\(document.name): it names no floor")
            }
            do throws(BeaconFaults) {
                maps.append(try BeaconMap(document))
            } catch {
                details += error.faults.map { "\(document.name): \($0.subject): \($0.detail)" }
            }
        }
        guard details.isEmpty else {
            throw Fault(details: Array(details.prefix(BeaconLimits.faultsReported)))
        }
        return maps
    }

    private static func record(
        _ beacon: MapBeacon, of document: BeaconDocument, _ group: BeaconGroupRecord, at place: Int
    ) -> SiteBeacon {
        let usual = ProximityThresholds()
        let isGrouped = group.id != withoutGroup
        func own(_ path: KeyPath<ProximityThresholds, Double>) -> Double? {
            let value = beacon.proximity[keyPath: path]
            return value == usual[keyPath: path] ? nil : value
        }
        return SiteBeacon(
            id: BeaconID(""), name: beacon.record.name, floor: beacon.floor ?? FloorID(""),
            point: beacon.point, uuid: beacon.uuid, major: beacon.record.major.map(Int.init),
            minor: beacon.record.minor.map(Int.init),
            txPower: document.pathLoss.powerAtOneMetre.map { Int($0.rounded()) },
            batteryByte: document.batteryByte, group: isGrouped ? group.id : nil,
            orderInGroup: isGrouped ? place + 1 : nil,
            closesRing: isGrouped && group.isRing && place == group.beacons.count - 1,
            isDisabled: !beacon.isEnabled,
            proximity: BeaconProximity(
                nearDecibels: own(\.nearDecibels), farDecibels: own(\.farDecibels),
                hysteresisDecibels: own(\.hysteresisDecibels)))
    }

    /// An id such as `hallway-3` that no beacon of the site has.
    private static func freeID(
        _ group: BeaconGroupID, _ place: Int, _ taken: inout Set<BeaconID>
    ) -> BeaconID {
        let base = "\(group.text.prefix(48))-\(place + 1)"
        var id = BeaconID(base)
        var number = 2
        while !taken.insert(id).inserted {
            id = BeaconID("\(base).\(number)")
            number += 1
        }
        return id
    }
}

/// The numbers by which a record names its beacons.
private struct Sent: Hashable {
    private let uuid: EventID?
    private let major: Int?
    private let minor: Int?

    init(_ beacon: SiteBeacon) {
        (uuid, major, minor) = (beacon.uuid, beacon.major, beacon.minor)
    }
}

extension SiteBeacon {
    /// Takes over what a document can't hold.
    fileprivate mutating func keep(_ known: SiteBeacon) {
        id = known.id
        address = known.address
        farthestMetres = known.farthestMetres
        txPower = txPower ?? known.txPower
    }
}
