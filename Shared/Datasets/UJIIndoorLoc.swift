import Archive
import Events
import Geometry
import Glibc
import Wire

/// UJIIndoorLoc (Torres-Sospedra et al. 2014, IPIN; CC BY 4.0): three buildings of the Universitat
/// Jaume I. `trainingData.csv` and `validationData.csv` have 520 access points.
///
/// Coordinates are EPSG:3857, whose metres are too long by 1 / cos(latitude); the site's frame has
/// metres on the ground. A space is a room (without an outline), and each distinct position of a
/// space is a location.
enum UJIIndoorLoc {
    static let accessPoints = 520
    /// Metres on the ground for one reported metre, at 39.993 degrees north.
    static let groundPerReportedMetre = cos(39.993 * .pi / 180)
    static let site = SiteID("ujiindoorloc")

    static func read(_ archive: ArchiveReader) throws -> Dataset {
        let training = try rows("trainingData.csv", archive)
        let validation = try rows("validationData.csv", archive)
        var plan = UJIPlan(origin: origin(training))
        let surveys = training.enumerated().map { index, row in
            let scan = scan(row, file: 1, number: index)
            return SurveyRecorded(scan: scan, place: .location(plan.location(of: row)))
        }
        let tests = validation.enumerated().map { index, row in
            plan.addFloor(of: row)
            let point = plan.point(of: row)
            let truth = ScanTruth(
                building: row.buildingID, floor: row.floorID, x: point.x, y: point.y)
            return Dataset.TestScan(scan: scan(row, file: 2, number: index), truth: truth)
        }
        let part = Dataset.Part(name: "validation", training: surveys, tests: tests)
        return Dataset(
            name: DatasetKind.ujiindoorloc.rawValue, site: site, document: plan.document,
            parts: [part], groundPerReportedMetre: groundPerReportedMetre,
            phoneOfDevice: phones(training))
    }

    struct Row {
        let longitude: Double
        let latitude: Double
        let floor: Int
        let building: Int
        let space: Int
        let relativePosition: Int
        let user: Int
        let phone: Int
        let seconds: Int
        let readings: [WiFiReading]

        var buildingID: BuildingID { BuildingID("b\(building)") }
        var floorID: FloorID { FloorID("b\(building)-f\(floor)") }
        var deviceID: DeviceID { DeviceID("user\(user)-phone\(phone)") }
        var roomID: RoomID { RoomID("b\(building)-f\(floor)-s\(space)") }
    }

    private static func rows(_ name: String, _ archive: ArchiveReader) throws -> [Row] {
        guard let bytes = try archive.only(named: name).firstBytes() else {
            throw DatasetFault(file: archive.path, detail: "holds no \(name)")
        }
        var reader = CSVReader(bytes, file: name)
        let header = try CSVHeader(&reader)
        let first = try header.column("WAP001")
        guard try header.column("WAP520") == first + accessPoints - 1 else {
            throw DatasetFault(file: name, line: 1, detail: "WAP001 to WAP520 are not in a row")
        }
        let names = [
            "LONGITUDE", "LATITUDE", "FLOOR", "BUILDINGID", "SPACEID", "RELATIVEPOSITION", "USERID",
            "PHONEID", "TIMESTAMP",
        ]
        var columns: [String: Int] = [:]
        for name in names { columns[name] = try header.column(name) }
        func whole(_ name: String) throws(DatasetFault) -> Int {
            try reader.whole(columns[name]!, name: name)
        }
        var rows: [Row] = []
        while try reader.next() {
            rows.append(
                Row(
                    longitude: try reader.number(columns["LONGITUDE"]!, name: "LONGITUDE"),
                    latitude: try reader.number(columns["LATITUDE"]!, name: "LATITUDE"),
                    floor: try whole("FLOOR"), building: try whole("BUILDINGID"),
                    space: try whole("SPACEID"), relativePosition: try whole("RELATIVEPOSITION"),
                    user: try whole("USERID"), phone: try whole("PHONEID"),
                    seconds: try whole("TIMESTAMP"),
                    readings: try FingerprintRow.readings(
                        reader, columns: first..<(first + accessPoints))))
        }
        guard !rows.isEmpty else { throw DatasetFault(file: name, detail: "has no rows") }
        return rows
    }

    private static func origin(_ rows: [Row]) -> (x: Double, y: Double) {
        (rows.map(\.longitude).min() ?? 0, rows.map(\.latitude).min() ?? 0)
    }

    private static func scan(_ row: Row, file: Int, number: Int) -> ScanRecorded {
        FingerprintRow.scan(
            site: site, device: row.deviceID.text,
            at: Timestamp(milliseconds: Int64(row.seconds) * 1_000), file: file, row: number,
            wifi: row.readings)
    }

    /// Several people had the same kind of phone, which is one phone here.
    private static func phones(_ rows: [Row]) -> [DeviceID: String] {
        Dictionary(
            rows.map { ($0.deviceID, "phone\($0.phone)") }, uniquingKeysWith: { first, _ in first })
    }
}
