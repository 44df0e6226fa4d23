import Archive
import Datasets
import Events
import Positioning
import PublicData
import RadioMapCare
import Site
import Testing

/// Real surveys of several days and telephones, training parts only.
@Suite("Changes in real surveys") struct RealChangesTests {
    /// Surveys in the order of time, and their site; nil, with a message, where the set is absent.
    static func surveys(
        _ kind: DatasetKind, _ folder: String
    ) throws -> (surveys: [SurveyRecorded], site: SiteIndex)? {
        guard let path = SharedData.path(folder) else { return nil }
        let dataset = try kind.read(ArchiveReader(path: path), options: DatasetOptions())
        let surveys = dataset.parts.flatMap(\.training)
        return (surveys.sorted { $0.scan.at < $1.scan.at }, try SiteIndex(dataset.document))
    }

    /// The access points that most surveys receive, in pairs. Each pair exchanges its addresses in
    /// the later surveys.
    static func exchanged(
        _ surveys: [SurveyRecorded], pairs: Int
    ) -> (surveys: [SurveyRecorded], names: [HardwareAddress: HardwareAddress]) {
        var counts: [HardwareAddress: Int] = [:]
        for survey in surveys {
            for reading in survey.scan.wifi { counts[reading.bssid, default: 0] += 1 }
        }
        let frequent = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        var names: [HardwareAddress: HardwareAddress] = [:]
        for pair in 0..<pairs {
            names[frequent[pair * 5]] = frequent[pair * 5 + 3]
            names[frequent[pair * 5 + 3]] = frequent[pair * 5]
        }
        let middle = surveys[surveys.count / 2].scan.at
        let changed = surveys.map { survey in
            guard survey.scan.at > middle else { return survey }
            var survey = survey
            survey.scan.wifi = survey.scan.wifi.map { reading in
                var reading = reading
                reading.bssid = names[reading.bssid] ?? reading.bssid
                return reading
            }
            return survey
        }
        return (changed, names)
    }

    /// A change that nobody planted may still be a true one, so the number found is an upper bound.
    @Test("Over a year in a library, exchanged access points are found and no others")
    func library() throws {
        guard let (surveys, site) = try Self.surveys(.ujiLibrary, "uji-library") else { return }
        #expect(ChangeDetector.changes(in: surveys, site: site).isEmpty)
        let (changed, names) = Self.exchanged(surveys, pairs: 5)
        let changes = ChangeDetector.changes(in: changed, site: site)
        let planted = Set(names.keys.map { Transmitter.wifi($0) })
        let found = changes.count { planted.contains($0.transmitter) }
        #expect(found >= 5)
        #expect(changes.count == found)
    }

    @Test("A telephone without 5 GHz makes no access point of UJIIndoorLoc vanish")
    func telephones() throws {
        guard let (surveys, site) = try Self.surveys(.ujiindoorloc, "ujiindoorloc") else { return }
        let changes = ChangeDetector.changes(in: surveys, site: site)
        #expect(changes.count <= 5)
    }
}
