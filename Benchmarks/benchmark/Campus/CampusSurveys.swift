import EventLog
import Events
import Foundation
import Geometry
import SampleSites
import SeededRandomness
import Wire

/// Surveys of the campus. Each changes the radio map of its building alone.
struct CampusSurveys {
    private static let surveysOfBuilding = 100
    private static let accessPointsOfBuilding = 60
    private static let readings = 12
    private static let patience = Duration.seconds(120)

    let campus = SampleCampus.large
    let site: SiteID
    let log: any EventLog

    /// Surveys all buildings and waits for the radio map. Then it surveys one building once more.
    ///
    /// - Returns: the seconds from the appending of that survey until the map with it is announced.
    ///   They have the builder's pause of 2 s.
    /// - Throws: also if the map of another building was built anew.
    func run() async throws -> Double {
        let (reader, _) = try await log.newRecords(of: .radioMaps)
        var random = SeededRandom(seed: 40)
        let number = campus.buildings * Self.surveysOfBuilding
        let first = (0..<number).map { survey($0 % campus.buildings, &random) }
        try await log.append(first.map { $0.record(source: "/benchmark") })
        let before = try await announced(number, reader)
        let began = ContinuousClock.now
        let one = campus.buildings / 2
        try await log.append([survey(one, &random).record(source: "/benchmark")])
        let after = try await announced(number + 1, reader)
        let seconds = (ContinuousClock.now - began) / .seconds(1)
        await reader.close()
        let same = Set(before.parts)
        let changed = after.parts.filter { !same.contains($0) }.map(\.building)
        guard changed == [campus.buildingID(one)] else {
            throw BenchmarkFault("one survey changed the maps of \(changed)")
        }
        return seconds
    }

    /// Waits for the map with so many fingerprints.
    private func announced(_ count: Int, _ reader: any LogReader) async throws -> RadioMapAnnounced
    {
        let began = ContinuousClock.now
        var found: [RadioMapAnnounced] = []
        repeat {
            found = maps(count, in: try await next(reader))
        } while found.isEmpty && ContinuousClock.now - began < Self.patience
        guard let map = found.first else {
            throw BenchmarkFault("no radio map with \(count) surveys was announced")
        }
        return map
    }

    private func next(_ reader: any LogReader) async throws -> [StoredRecord] {
        try await reader.next(maximum: 100, wait: .milliseconds(100))
    }

    private func maps(_ count: Int, in records: [StoredRecord]) -> [RadioMapAnnounced] {
        records.compactMap { record in
            record.value.flatMap { try? RadioMapAnnounced(json: $0) }
        }.filter { $0.site == site && $0.fingerprints == count }
    }

    private func survey(_ building: Int, _ random: inout SeededRandom) -> SurveyRecorded {
        let now = Timestamp.now
        let floor = Int(random.next() % UInt64(campus.floors))
        let corner = campus.corner(building)
        let x = Double(random.next() % 600) / 10
        let near = Int(x / 60 * Double(Self.accessPointsOfBuilding))
        let wifi = (0..<Self.readings).map { reading in
            let accessPoint = (near + reading * 3) % Self.accessPointsOfBuilding
            return WiFiReading(
                bssid: HardwareAddress(
                    value: UInt64(0x0062_EC00_0000 + building << 16 + floor << 8 + accessPoint)),
                ssid: "eduroam", rssi: -45 - reading * 3 - Int(random.next() % 6))
        }
        return SurveyRecorded(
            scan: ScanRecorded(
                id: EventID(at: now), site: site, device: DeviceID("pi-1"),
                scanner: ScannerID("pi-1"), at: now, receivedAt: now, wifi: wifi),
            place: .metres(
                floor: campus.floorID(building, floor), x: corner.x + x, y: corner.y + 9.5),
            author: "a-surveyor")
    }
}
