import Cryptography
import EventLog
import Events
import Foundation
import Geometry
import SeededRandomness
import Site
import Wire

/// The contents of a log that has been used for three years: campuses that were published again and
/// again, surveyed again and again, and tokens.
struct AgedLog {
    private static let sites = 8
    private static let buildings = 4
    private static let roomsOfBuilding = 300
    private static let publications = 1_000
    private static let tokens = 10_000
    private static let readings = 12
    private static let accessPointsOfBuilding = 300
    private static let batch = 500
    private static let source = "/benchmark"

    let surveys: Int

    func fill(_ choice: ChosenLog) async throws {
        let log = try choice.open()
        try await log.createTopics(Topic.specifications())
        let now = Timestamp.now
        try await publish(log, now)
        for first in stride(from: 0, to: Self.tokens, by: Self.batch) {
            try await log.append(
                (first..<first + Self.batch).map { number in
                    TokenIssued(
                        hash: BearerToken().hash, id: EventID(at: now), role: .device,
                        site: Self.site(number), device: DeviceID("pi-\(number)"), note: "",
                        issuedAt: now, expiresAt: nil
                    ).record(source: Self.source)
                })
        }
        var random = SeededRandom(seed: 3)
        for first in stride(from: 0, to: surveys, by: Self.batch) {
            try await log.append(
                (first..<min(first + Self.batch, surveys)).map { number in
                    survey(number, now, &random).record(source: Self.source)
                })
        }
        await log.close()
    }

    private static func site(_ number: Int) -> SiteID { SiteID("campus-\(number % sites)") }

    /// Publishes the campuses in turn. The documents of former versions get their tombstones.
    private func publish(_ log: any EventLog, _ now: Timestamp) async throws {
        var former: [SiteID: SiteAnnounced] = [:]
        for number in 0..<Self.publications {
            let site = Self.site(number)
            let document = Self.document(version: number / Self.sites + 1).json
            let announced = SiteAnnounced(
                site: site, version: number / Self.sites + 1, publishedAt: now,
                hash: sha256Hex(document), byteCount: document.count,
                pieces: SiteDocumentPieces.count(of: document.count))
            try await log.append(SiteDocumentPieces.records(announced, document))
            try await log.append([announced.record(source: Self.source)])
            if let before = former[site] {
                try await log.append(
                    SiteDocumentPieces.tombstones(
                        of: site, hash: before.hash, pieces: before.pieces))
            }
            former[site] = announced
        }
    }

    private static func document(version: Int) -> SiteDocument {
        var document = SiteDocument(
            name: "Campus, version \(version)", originLatitude: 51.5, originLongitude: -0.1,
            bearingDegrees: 0)
        for building in 0..<buildings {
            let id = BuildingID("b\(building)")
            let floor = FloorID("b\(building)-0")
            document.buildings.append(
                BuildingRecord(id: id, name: "Building \(building)", timeZone: "Europe/London"))
            document.floors.append(
                FloorRecord(id: floor, building: id, ordinal: 0, level: "0"))
            for room in 0..<roomsOfBuilding {
                let (x, y) = (Double(room % 30) * 4, Double(room / 30) * 5)
                document.rooms.append(
                    RoomRecord(
                        id: RoomID("b\(building)-r\(room)"), floor: floor, name: "Room \(room)",
                        kind: "office",
                        outline: [[x, y], [x + 4, y], [x + 4, y + 5], [x, y + 5]]))
            }
        }
        return document
    }

    private func survey(
        _ number: Int, _ now: Timestamp, _ random: inout SeededRandom
    ) -> SurveyRecorded {
        let building = Int(random.next() % UInt64(Self.buildings))
        // Three years, evenly.
        let age = Int64(surveys - number) * (3 * 365 * 86_400_000_000 / Int64(surveys))
        let at = now.advanced(byMicroseconds: -age)
        let x = Double(random.next() % 1_200) / 10
        let y = Double(random.next() % 500) / 10
        let wifi = (0..<Self.readings).map { reading in
            let near = Int(x / 120 * Double(Self.accessPointsOfBuilding))
            let accessPoint =
                (near + reading * 3 + Int(random.next() % 3)) % Self.accessPointsOfBuilding
            return WiFiReading(
                bssid: HardwareAddress(
                    value: UInt64(0x0062_EC00_0000 + building << 16 + accessPoint)),
                ssid: "eduroam", rssi: -45 - reading * 3 - Int(random.next() % 6))
        }
        let device = "pi-\(number % 40)"
        return SurveyRecorded(
            scan: ScanRecorded(
                id: EventID(high: UInt64(number) << 20 | 0x7000, low: random.next()),
                site: Self.site(number), device: DeviceID(device), scanner: ScannerID(device),
                at: at, receivedAt: at, wifi: wifi),
            place: .metres(floor: FloorID("b\(building)-0"), x: x, y: y), author: "a-surveyor")
    }
}
