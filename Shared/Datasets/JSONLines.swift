import Archive
import Events
import Positioning
import Site
import Wire

/// Recordings in Whereabouts' own form: `site.json`, `surveys.jsonl` with a place in each line, and
/// `scans.jsonl` with a true place in each line. The lines may be gzipped.
///
/// docs/accuracy.md describes the files. The scans of one device are one path.
enum JSONLines {
    /// The site's id for recordings that do not name their site.
    static let unnamedSite = SiteID("site")

    /// The time of a scan that states none. No text of a time means it.
    private static let never = Timestamp(microseconds: .min)

    /// - Parameter needsTimes: refuses scans without a time, for paths in the order of their times.
    static func read(_ archive: ArchiveReader, needsTimes: Bool) throws -> Dataset {
        guard let json = try archive.only(named: "site.json").firstBytes() else {
            throw DatasetFault(file: archive.path, detail: "holds no site.json")
        }
        let document: SiteDocument
        do throws(WireFault) {
            document = try SiteDocument(json: json)
        } catch {
            throw DatasetFault(file: "site.json", detail: "\(error)")
        }
        var part = Dataset.Part(name: "scans", training: [], tests: [])
        try forEachLine("surveys.jsonl", archive) { submission, scan, place in
            guard let survey = submission.place else {
                throw place.about("place", "is missing")
            }
            part.training.append(SurveyRecorded(scan: scan, place: survey))
        }
        let floors = Set(document.floors.map(\.id))
        try forEachLine("scans.jsonl", archive) { submission, scan, place in
            guard let truth = submission.truth else {
                throw place.about("truth", "is missing: each scan needs its true place")
            }
            guard truth.floor == .outdoors || floors.contains(truth.floor) else {
                throw place.about("truth.floor", "the site has no floor \(truth.floor)")
            }
            guard !needsTimes || submission.at != never else {
                throw place.about("at", "is missing: --tracks needs the times of all scans")
            }
            part.tests.append(
                Dataset.TestScan(scan: scan, truth: truth, path: scan.device.text))
        }
        guard !part.training.isEmpty else {
            throw DatasetFault(file: archive.path, detail: "holds no surveys.jsonl with surveys")
        }
        guard !part.tests.isEmpty else {
            throw DatasetFault(file: archive.path, detail: "holds no scans.jsonl with scans")
        }
        return Dataset(
            name: DatasetKind.jsonLines.rawValue, site: part.training[0].scan.site,
            document: document, parts: [part],
            phoneOfDevice: Dictionary(
                part.training.map { ($0.scan.device, $0.scan.device.text) },
                uniquingKeysWith: { first, _ in first }))
    }

    private static func forEachLine(
        _ name: String, _ archive: ArchiveReader,
        _ body: (ScanSubmission, ScanRecorded, DatasetFault) throws -> Void
    ) throws {
        let decoder = SubmissionDecoder(.file)
        var lines: [EventID: Int] = [:]
        try archive.only(named: name).forEachLine { line, number in
            guard !line.isEmpty else { return }
            let place = DatasetFault(file: name, line: number, detail: "")
            var submission: ScanSubmission
            do throws(WireFault) {
                submission = try decoder.decodeOne(UnsafeRawBufferPointer(line), receivedAt: never)
            } catch {
                throw place.about(nil, "\(error)")
            }
            let at = submission.at == never ? Timestamp(microseconds: 0) : submission.at
            // Files have no times of arrival, so the scan's own time stands for it.
            submission.receivedAt = submission.sentAt ?? at
            guard let device = submission.device ?? submission.scanner.map({ DeviceID($0.text) })
            else { throw place.about("device", "is missing") }
            let id =
                submission.id
                ?? EventID(millisecondsSinceEpoch: at.milliseconds, random: 1, UInt64(number))
            if let first = lines.updateValue(number, forKey: id) {
                throw place.about("id", "is that of line \(first), too")
            }
            var scan = submission.recorded(
                id: id, site: submission.site ?? unnamedSite, device: device)
            scan.at = at
            try body(submission, scan, place)
        }
    }
}

extension DatasetFault {
    fileprivate func about(_ column: String?, _ detail: String) -> DatasetFault {
        DatasetFault(file: file, line: line, column: column, detail: detail)
    }
}
