import Devices
import Events
import Geometry
import Positioning
import SampleSites
import Site

/// Devices on the sample site, whose scans are drawn: one character for every five seconds.
///
///     A B C D   a scan that receives this room's transmitter, and a beacon of the same letter;
///               the device is located there
///     a b c d   the same scan from 400 seconds ago, so it is late
///     ?         a scan without readings
///     <         the previous scan once more
///     .         no scan
struct Script {
    /// The UUID of all beacons; their minors are the letters.
    static let region = EventID(high: 6, low: 6)

    /// The sample site with beacons in its rooms. Those of A and D are in the group `hall`.
    static let grouped: SiteIndex = {
        var document = SampleSite.index.document
        let groups: [(letter: String, group: String?)] = [
            ("A", "hall"), ("B", "shop"), ("C", nil), ("D", "hall"), ("E", "shop"),
        ]
        document.beacons = groups.map { letter, group in
            SiteBeacon(
                id: BeaconID(letter), floor: letter == "D" ? SampleSite.first : SampleSite.ground,
                point: [5, 3], uuid: region, major: 1, minor: Int(minor(letter)),
                group: group.map { BeaconGroupID($0) }, isDisabled: letter == "E")
        }
        return try! SiteIndex(document)
    }()

    private static func minor(_ letter: String) -> UInt16 { UInt16(letter.utf8.first ?? 0) }

    static func beacon(_ letter: String, rssi: Int = -60) -> BluetoothReading {
        BluetoothReading(uuid: region, major: 1, minor: minor(letter), rssi: rssi)
    }

    static let stepSeconds = 5
    static let begin: Int64 = 1_795_248_000_000_000

    static func moment(_ seconds: Int) -> Timestamp {
        Timestamp(microseconds: begin + Int64(seconds) * 1_000_000)
    }

    static func scans(_ drawing: String, of device: String = "d", from: Int = 0) -> [ScanRecorded] {
        var scans: [ScanRecorded] = []
        for (index, letter) in drawing.enumerated() {
            let number = from + index
            switch letter {
            case ".": break
            case "<": if let last = scans.last { scans.append(last) }
            default: scans.append(scan(number, letter, of: device))
            }
        }
        return scans
    }

    static func scan(_ number: Int, _ letter: Character, of device: String) -> ScanRecorded {
        let arrived = moment(number * stepSeconds)
        let room = Character(letter.uppercased())
        return ScanRecorded(
            id: EventID(high: device.utf8.reduce(0) { $0 << 8 | UInt64($1) }, low: UInt64(number)),
            site: SampleSite.id, device: DeviceID(device), scanner: ScannerID(device),
            at: letter.isLowercase ? arrived.advanced(byMicroseconds: -400_000_000) : arrived,
            receivedAt: arrived,
            wifi: letter == "?"
                ? []
                : [
                    WiFiReading(
                        bssid: HardwareAddress(value: UInt64(room.asciiValue ?? 0)), rssi: -50)
                ],
            ble: letter == "?" ? [] : [beacon(String(room))])
    }

    /// Ids as text, which show the values that they are made of.
    static let digests = Digests(
        position: { scan, positioner in
            EventID(high: scan.low, low: positioner.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
        },
        visit: { key, zone, entered in
            EventID(
                high: zone.id.text.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) },
                low: UInt64(bitPattern: entered.microseconds))
        },
        groupVisit: { key, group, entered in
            EventID(
                high: group.text.utf8.reduce(1) { $0 &* 31 &+ UInt64($1) },
                low: UInt64(bitPattern: entered.microseconds))
        }, basis: { text in text.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) } })

    static let rules = DeviceRules(digests: digests)

    /// The sample site, with positioners that use the room that a scan receives.
    static func site(
        _ positioners: [RoomCounter] = [RoomCounter()], index: SiteIndex = SampleSite.index,
        map: String = "map", siteVersion: Int = 1, known: SiteKnowledge? = nil
    ) -> SiteKnowledge {
        SiteKnowledge(
            SiteSources(
                SampleSite.id, site: PublishedSite(version: siteVersion, index: index),
                map: announcement(hash: map)), map: .empty,
            positioners: positioners.map { WorkingPositioner(positioner: $0, option: $0.name) },
            known: known, digests)
    }

    static func announcement(hash: String, version: Int = 3) -> RadioMapAnnounced {
        RadioMapAnnounced(
            site: SampleSite.id, version: version, hash: hash, byteCount: 0, siteVersion: 1,
            surveyOffsets: [], builderVersion: "1", builtAt: Timestamp(microseconds: 0),
            fingerprints: 0, accessPoints: 0)
    }

    /// The table of devices under test.
    var devices = DeviceTable()
    var scratch = DeviceScratch()
    var site = Script.site()

    /// Decides the scans and describes each outcome by a word: the room, the positioner's count and
    /// `late`. A lost device is `?`, a duplicate `-`, a conflict `!`.
    mutating func positions(_ scans: [ScanRecorded], isPutBack: Bool = false) -> String {
        scans.map { scan in
            switch decide(scan, isPutBack: isPutBack) {
            case .duplicate: "-"
            case .conflict: "!"
            case .located(let located): Self.word(located.served)
            }
        }.joined(separator: " ")
    }

    mutating func decide(_ scan: ScanRecorded, isPutBack: Bool = false) -> ScanDecision {
        devices.decide(
            scan, in: site, by: Self.rules, locatedAt: Self.moment(0), isPutBack: isPutBack,
            scratch: &scratch
        ).decision
    }

    /// Decides the scans and describes their visits, such as `A starts 0` and `A ends 15 left`. The
    /// numbers are the seconds of the first and last scan inside.
    mutating func visits(_ scans: [ScanRecorded]) -> [String] {
        scans.flatMap { scan -> [VisitEvent] in
            guard case .located(let located) = decide(scan) else { return [] }
            return located.visits
        }.map(Self.word)
    }

    static func word(_ position: PositionEstimated?) -> String {
        guard let position, let count = position.radius68 else { return "?" }
        return (position.room?.text ?? "") + "\(Int(count))" + (position.late ? "late" : "")
    }

    static func word(_ visit: VisitEvent) -> String {
        func seconds(_ moment: Timestamp) -> Int64 { (moment.microseconds - begin) / 1_000_000 }
        return switch visit {
        case .started(let event): "\(event.zone.id) starts \(seconds(event.entered))"
        case .ended(let event): "\(event.zone.id) ends \(seconds(event.left)) \(event.reason)"
        case .entered(let event): "\(event.group) entered \(seconds(event.entered))"
        case .left(let event): "\(event.group) left \(seconds(event.left))"
        }
    }
}

/// Puts a device into the middle of the room that its scan receives. The radius in metres is the
/// device's number of scans, counted in the positioner's state.
struct RoomCounter: Positioner {
    var name = "counter"
    /// The number of bytes in each state besides the count.
    var padding = 0

    func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        Prepared(padding: padding)
    }

    final class Prepared: PreparedPositioner {
        private let padding: Int
        init(padding: Int) { self.padding = padding }

        func locate(
            _ scan: RadioScan, state: PositionerState, seed: UInt64,
            scratch: inout PositionerScratch
        ) -> (estimate: Estimate, state: PositionerState) {
            let count = (state.bytes.first ?? 0) &+ 1
            let after = PositionerState(bytes: [count] + [UInt8](repeating: 0, count: padding))
            guard let reading = scan.readings.first,
                case .wifi(let address) = reading.transmitter
            else { return (.lost, after) }
            let room = RoomID(String(UnicodeScalar(UInt8(truncatingIfNeeded: address.value))))
            let place = Estimate.Place(
                floor: room == RoomID("D") ? SampleSite.first : SampleSite.ground,
                point: Point(x: room == RoomID("A") ? 5 : room == RoomID("B") ? 15 : 10, y: 3),
                room: room, covariance: .init(xx: 1, xy: 0, yy: 1), radius68: Double(count),
                radius95: 2 * Double(count))
            return (
                Estimate(
                    state: .located, place: place, rooms: [.init(id: room, probability: 0.75)]),
                after
            )
        }
    }
}
