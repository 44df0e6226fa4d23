import Archive
import Events
import Site
import Wire

/// Sets in the common form of SURIMI and related sets (TUT5, UJIB1 and others): `Train.csv` and
/// `Test.csv`.
///
/// They have a column for each access point or beacon, then LONGITUDE, LATITUDE, ALTITUDE, FLOOR
/// and BUILDINGID; longitude and latitude are in metres. The sets give no times, so rows are one
/// second apart from 2020-01-01. They give no place on the earth either, so the site's origin is 0°
/// N, 0° E.
enum Surimi {
    static let site = SiteID("surimi")
    /// Larger coordinates are measured from the smallest of the training rows.
    static let largestCoordinate = 50_000.0
    private static let firstMillisecond: Int64 = 1_577_836_800_000

    static func read(_ archive: ArchiveReader) throws -> Dataset {
        let training = try rows("Train.csv", archive)
        let tests = try rows("Test.csv", archive)
        let shift = shift(training)
        let surveys = training.enumerated().map { index, row in
            SurveyRecorded(
                scan: scan(row, device: "train", file: 1, number: index),
                place: .metres(
                    floor: row.floorID, x: row.x - shift.x, y: row.y - shift.y))
        }
        let scans = tests.enumerated().map { index, row in
            Dataset.TestScan(
                scan: scan(row, device: "test", file: 2, number: index),
                truth: ScanTruth(
                    building: row.buildingID, floor: row.floorID, x: row.x - shift.x,
                    y: row.y - shift.y))
        }
        return Dataset(
            name: DatasetKind.surimi.rawValue, site: site, document: document(training + tests),
            parts: [Dataset.Part(name: "Test", training: surveys, tests: scans)])
    }

    private struct Row {
        let x: Double
        let y: Double
        let floor: Int
        let building: Int
        let readings: [WiFiReading]

        var buildingID: BuildingID { BuildingID("b\(building)") }
        var floorID: FloorID { FloorID("b\(building)-f\(floor)") }
    }

    private static func rows(_ name: String, _ archive: ArchiveReader) throws -> [Row] {
        guard let bytes = try archive.only(named: name).firstBytes() else {
            throw DatasetFault(file: archive.path, detail: "holds no \(name)")
        }
        var reader = CSVReader(bytes, file: name)
        let header = try CSVHeader(&reader)
        let x = try header.column("LONGITUDE")
        let y = try header.column("LATITUDE")
        let floor = try header.column("FLOOR")
        let building = try header.column("BUILDINGID")
        var rows: [Row] = []
        while try reader.next() {
            rows.append(
                Row(
                    x: try reader.number(x, name: "LONGITUDE"),
                    y: try reader.number(y, name: "LATITUDE"),
                    floor: try reader.whole(floor, name: "FLOOR"),
                    building: try reader.whole(building, name: "BUILDINGID"),
                    readings: try FingerprintRow.readings(reader, columns: 0..<x)))
        }
        guard !rows.isEmpty else { throw DatasetFault(file: name, detail: "has no rows") }
        return rows
    }

    private static func shift(_ rows: [Row]) -> (x: Double, y: Double) {
        let isFar = rows.contains { max(abs($0.x), abs($0.y)) > largestCoordinate }
        guard isFar else { return (0, 0) }
        return (rows.map(\.x).min() ?? 0, rows.map(\.y).min() ?? 0)
    }

    private static func scan(_ row: Row, device: String, file: Int, number: Int) -> ScanRecorded {
        FingerprintRow.scan(
            site: site, device: device,
            at: Timestamp(milliseconds: firstMillisecond + Int64(number) * 1_000), file: file,
            row: number, wifi: row.readings)
    }

    private static func document(_ rows: [Row]) -> SiteDocument {
        let buildings = Set(rows.map(\.buildingID)).sorted()
        var floors: [FloorID: FloorRecord] = [:]
        for row in rows {
            floors[row.floorID] = FloorRecord(
                id: row.floorID, building: row.buildingID, ordinal: row.floor,
                level: "\(row.floor)")
        }
        return SiteDocument(
            name: "SURIMI", originLatitude: 0, originLongitude: 0, bearingDegrees: 0,
            buildings: buildings.map {
                BuildingRecord(id: $0, name: "Building \($0)", timeZone: "Etc/UTC")
            }, floors: floors.values.sorted { $0.id < $1.id })
    }
}
