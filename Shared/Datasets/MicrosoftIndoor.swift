import Archive
import Events
import JSON
import Numbers
import Site
import Wire

/// The sample of Microsoft's Indoor Location competition (MIT licence): one mall, walked along
/// surveyed paths.
///
/// Lines of `scans.jsonl` with `"k":"scan"` have floor, path, time, position and readings; other
/// lines are skipped. A path is used for surveys or for tests as a whole. A fifth of the paths,
/// drawn by the seed, is the test. The mall's place on the earth is not used.
enum MicrosoftIndoor {
    static let site = SiteID("ms-indoor")
    private static let building = BuildingID("mall")
    private static let testShare = 0.2
    /// The seeds whose tests are published figures.
    private static let testedSeeds: ClosedRange<UInt64> = 1...5

    static func read(_ archive: ArchiveReader, options: DatasetOptions) throws -> Dataset {
        var samples: [Sample] = []
        let parser = JSONParser()
        try archive.only(named: "scans.jsonl").forEachLine { line, number in
            let place = DatasetFault(file: "scans.jsonl", line: number, detail: "")
            let sample = try parser.parse(
                UnsafeRawBufferPointer(line),
                fault: { place.with("is not JSON: \($0)") as any Error }
            ) { root in
                try Sample(root, number: samples.count, place: place)
            }
            if let sample { samples.append(sample) }
        }
        guard !samples.isEmpty else {
            throw DatasetFault(file: archive.path, detail: "holds no scans.jsonl with scans")
        }
        let tested = testPaths(samples, seed: options.seed)
        let spared =
            options.sparesTests
            ? Set(testedSeeds.flatMap { testPaths(samples, seed: $0) }) : []
        var part = Dataset.Part(name: "seed \(options.seed)", training: [], tests: [])
        for sample in samples {
            if tested.contains(sample.path) {
                let truth = ScanTruth(
                    building: building, floor: FloorID(sample.floor), x: sample.x, y: sample.y)
                part.tests.append(
                    Dataset.TestScan(scan: sample.scan, truth: truth, path: sample.path))
            } else if !spared.contains(sample.path) {
                let place = SurveyPlace.metres(
                    floor: FloorID(sample.floor), x: sample.x, y: sample.y)
                part.training.append(SurveyRecorded(scan: sample.scan, place: place))
            }
        }
        return Dataset(
            name: DatasetKind.microsoftIndoor.rawValue, site: site, document: document(samples),
            parts: [part])
    }

    private static func testPaths(_ samples: [Sample], seed: UInt64) -> Set<String> {
        var paths = Set(samples.map(\.path)).sorted()
        var random = SplitMix64(seed: seed)
        random.shuffle(&paths)
        return Set(paths.prefix(Int((Double(paths.count) * testShare).rounded())))
    }

    private static func document(_ samples: [Sample]) -> SiteDocument {
        let floors = Set(samples.map(\.floor)).sorted { ordinal($0) < ordinal($1) }
        return SiteDocument(
            name: "Mall", originLatitude: 30.29, originLongitude: 120.07, bearingDegrees: 0,
            buildings: [BuildingRecord(id: building, name: "Mall", timeZone: "Asia/Shanghai")],
            floors: floors.map {
                FloorRecord(id: FloorID($0), building: building, ordinal: ordinal($0), level: $0)
            })
    }

    /// The floor's ordinal: B2 is -2, B1 is -1, F1 is 0, F2 is 1.
    private static func ordinal(_ floor: String) -> Int {
        let number = Int(floor.dropFirst()) ?? 0
        return floor.hasPrefix("B") ? -number : number - 1
    }
}

/// A line that holds a scan.
private struct Sample {
    let floor: String
    let path: String
    let x: Double
    let y: Double
    let scan: ScanRecorded

    /// Nil for a line that holds no scan.
    init?(_ root: JSONValue, number: Int, place: DatasetFault) throws(DatasetFault) {
        guard let object = root.object else { throw place.with("is not an object") }
        guard object["k"]?.string == "scan" else { return nil }
        guard let floor = object["floor"]?.string, isWellFormedIdentifier(floor) else {
            throw place.missing("floor")
        }
        guard let path = object["path"]?.string, isWellFormedIdentifier(path) else {
            throw place.missing("path")
        }
        guard let milliseconds = object["t"]?.int else { throw place.missing("t") }
        guard let x = object["x"]?.double else { throw place.missing("x") }
        guard let y = object["y"]?.double else { throw place.missing("y") }
        (self.floor, self.path, self.x, self.y) = (floor, path, x, y)
        // Each path is a walk of its own, so it gets a device of its own.
        scan = FingerprintRow.scan(
            site: MicrosoftIndoor.site, device: path,
            at: Timestamp(milliseconds: Int64(milliseconds)), file: 1, row: number,
            wifi: try Self.wifi(object, place), ble: try Self.beacons(object, place))
    }

    /// Reads `{bssid: [rssi, frequency, age in ms]}`.
    private static func wifi(
        _ object: JSONObject, _ place: DatasetFault
    ) throws(DatasetFault) -> [WiFiReading] {
        guard let members = object["wifi"]?.object else { return [] }
        var readings: [WiFiReading] = []
        for member in members {
            let name = member.name.string
            guard let address = HardwareAddress(name), let values = member.value.array else {
                throw place.with("\(name) is not an access point")
            }
            let numbers = values.map { $0.int }
            guard numbers.count == 3, let rssi = numbers[0], (-120...0).contains(rssi) else {
                throw place.with("\(name) is not [rssi, frequency, age]")
            }
            // A few ages are negative: the phone's clock was set between the scan and the reading.
            readings.append(
                WiFiReading(
                    bssid: address, rssi: rssi, frequency: numbers[1],
                    ageMilliseconds: numbers[2].map { max(0, $0) }))
        }
        return readings
    }

    /// Reads `{uuid:major:minor: rssi}`.
    private static func beacons(
        _ object: JSONObject, _ place: DatasetFault
    ) throws(DatasetFault) -> [BluetoothReading] {
        guard let members = object["ble"]?.object else { return [] }
        var readings: [BluetoothReading] = []
        for member in members {
            let name = member.name.string
            let parts = name.split(separator: ":")
            guard parts.count == 3, let uuid = EventID(parts[0]), let major = UInt16(parts[1]),
                let minor = UInt16(parts[2]), let rssi = member.value.int
            else { throw place.with("\(name) is not a beacon") }
            guard (-120...0).contains(rssi) else { continue }
            readings.append(BluetoothReading(uuid: uuid, major: major, minor: minor, rssi: rssi))
        }
        return readings
    }
}

extension DatasetFault {
    fileprivate func with(_ detail: String) -> DatasetFault {
        DatasetFault(file: file, line: line, detail: detail)
    }

    fileprivate func missing(_ name: String) -> DatasetFault {
        DatasetFault(file: file, line: line, column: name, detail: "is missing or malformed")
    }
}
