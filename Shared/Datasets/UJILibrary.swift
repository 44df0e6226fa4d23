import Archive
import Events
import Site
import Wire

/// The UJI library set (Mendoza-Silva et al. 2018, Data 3(1); CC BY 4.0): files of RSS, coordinates
/// (x, y, floor) and times for each month and collection. Files called `trn` are for radio maps,
/// `tst` for tests.
///
/// Without chosen months to train on, each month is a part with its own training and tests. The set
/// does not give the library's place on the earth; the origin is the campus.
enum UJILibrary {
    static let site = SiteID("uji-library")
    private static let building = BuildingID("library")

    static func read(_ archive: ArchiveReader, options: DatasetOptions) throws -> Dataset {
        let files = try LibraryFiles(archive)
        let months = files.months
        guard !months.isEmpty else {
            throw DatasetFault(file: archive.path, detail: "holds no month with trn01rss.csv")
        }
        for month in options.trainMonths + options.testMonths where !months.contains(month) {
            throw DatasetFault(file: archive.path, detail: "holds no month \(month)")
        }
        let tested = options.testMonths.isEmpty ? months : options.testMonths
        var floors: Set<Int> = []
        var parts: [Dataset.Part] = []
        if options.trainMonths.isEmpty {
            for month in tested {
                parts.append(
                    try part("month \(month)", train: [month], test: [month], files, &floors))
            }
        } else {
            let name = "months \(options.trainMonths)"
            parts.append(try part(name, train: options.trainMonths, test: tested, files, &floors))
        }
        return Dataset(
            name: DatasetKind.ujiLibrary.rawValue, site: site, document: document(floors),
            parts: parts)
    }

    private static func part(
        _ name: String, train: [Int], test: [Int], _ files: LibraryFiles, _ floors: inout Set<Int>
    ) throws -> Dataset.Part {
        var part = Dataset.Part(name: name, training: [], tests: [])
        for month in train {
            // Six scans of trn14 of month 1 are on a floor 0. The library has none: all others of
            // their place are on floors 3 and 5. A floor that other months lack surveys of would
            // make their scans doubtful.
            for sample in try files.samples("trn", month: month) where sample.floor != 0 {
                floors.insert(sample.floor)
                part.training.append(
                    SurveyRecorded(
                        scan: sample.scan,
                        place: .metres(floor: floorID(sample.floor), x: sample.x, y: sample.y)))
            }
        }
        for month in test {
            for sample in try files.samples("tst", month: month) {
                floors.insert(sample.floor)
                let truth = ScanTruth(
                    building: building, floor: floorID(sample.floor), x: sample.x, y: sample.y)
                part.tests.append(Dataset.TestScan(scan: sample.scan, truth: truth))
            }
        }
        return part
    }

    private static func floorID(_ floor: Int) -> FloorID { FloorID("library-\(floor)") }

    private static func document(_ floors: Set<Int>) -> SiteDocument {
        SiteDocument(
            name: "UJI library", originLatitude: 39.9937, originLongitude: -0.0686,
            bearingDegrees: 0,
            buildings: [
                BuildingRecord(id: building, name: "Library", timeZone: "Europe/Madrid")
            ],
            floors: floors.sorted().map {
                FloorRecord(id: floorID($0), building: building, ordinal: $0, level: "\($0)")
            })
    }
}
