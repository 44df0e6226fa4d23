import Events
import Geometry
import Positioning

/// The readings of a session by cell, with each scanner's offset removed.
struct SessionSummary {
    /// A scanner that misses a larger share of the transmitters expected in its cells probably
    /// can't receive some kind, such as 5 GHz. Its misses then show no change.
    static let largestMissedShare = 0.35
    /// With fewer comparisons, a scanner's offset and its share of misses are not known.
    static let fewestComparisons = 20

    let number: Int
    /// The number of scans in each cell, by all scanners.
    private(set) var scans: [SurveyCell: Int] = [:]
    /// The number of scans in each cell, by each scanner that misses little.
    private var listening: [SurveyCell: [ScannerID: Int]] = [:]
    private(set) var listeners: [Transmitter: Set<ScannerID>] = [:]
    private(set) var heard: [Transmitter: [SurveyCell: HeardSum]] = [:]

    init(_ session: SurveySession, against reference: ChangeReference) {
        number = session.number
        let expected = reference.strongByCell
        // The order is fixed, so that equal surveys give sums equal to the last bit.
        let byScanner = Dictionary(grouping: session.surveys, by: \.scanner)
        for (scanner, surveys) in byScanner.sorted(by: { $0.key < $1.key }) {
            let offset = Self.offset(of: surveys, against: reference)
            let isDeaf = Self.isDeaf(surveys, expected)
            for survey in surveys {
                scans[survey.cell, default: 0] += 1
                if !isDeaf { listening[survey.cell, default: [:]][scanner, default: 0] += 1 }
                for reading in survey.scan.readings {
                    listeners[reading.transmitter, default: []].insert(scanner)
                    heard[reading.transmitter, default: [:]][survey.cell, default: HeardSum()]
                        .add(Double(reading.rssi) - offset)
                }
            }
        }
    }

    /// The median difference in dB by which the scanner receives more than the reference; 0 where
    /// that is not known.
    private static func offset(
        of surveys: [PlacedSurvey], against reference: ChangeReference
    ) -> Double {
        var differences: [Double] = []
        for survey in surveys {
            for reading in survey.scan.readings {
                guard let known = reference.heard[reading.transmitter]?[survey.cell] else {
                    continue
                }
                differences.append(Double(reading.rssi) - known.mean)
            }
        }
        guard differences.count >= fewestComparisons else { return 0 }
        differences.sort()
        return differences[differences.count / 2]
    }

    private static func isDeaf(
        _ surveys: [PlacedSurvey], _ expected: [SurveyCell: Set<Transmitter>]
    ) -> Bool {
        var missed = 0
        var all = 0
        for survey in surveys {
            guard let strong = expected[survey.cell] else { continue }
            let found = survey.scan.readings.count { strong.contains($0.transmitter) }
            all += strong.count
            missed += strong.count - found
        }
        return all >= fewestComparisons && Double(missed) > largestMissedShare * Double(all)
    }

    /// The verdict on each transmitter that is in the session or the reference.
    func verdicts(against reference: ChangeReference) -> [Transmitter: ChangeVerdict] {
        var verdicts: [Transmitter: ChangeVerdict] = [:]
        for (transmitter, known) in reference.heard {
            var verdict = ChangeVerdict()
            let now = heard[transmitter] ?? [:]
            let able = (reference.listeners[transmitter] ?? []).union(
                listeners[transmitter] ?? [])
            verdict.isHeard = !now.isEmpty
            for (cell, sum) in known where scans[cell] != nil {
                let before = reference.scans(in: cell, of: transmitter)
                if let found = now[cell] {
                    verdict.compare(sum.mean, found.mean)
                } else if reference.isStrong(sum, scans: before) {
                    verdict.miss(scans: listening[cell] ?? [:], able: able)
                }
            }
            for (cell, found) in now where known[cell] == nil {
                verdict.find(
                    found.mean, scansBefore: reference.scans(in: cell, of: transmitter))
            }
            if let before = ChangeDetector.whereabouts(known),
                let after = ChangeDetector.whereabouts(now)
            {
                verdict.moved =
                    before.floor == after.floor ? before.point.distance(to: after.point) : .infinity
            }
            verdicts[transmitter] = verdict
        }
        return verdicts
    }

    /// The verdict on each transmitter that is strong in several cells, and that no earlier session
    /// has ever received.
    func appearances(against reference: ChangeReference) -> [Transmitter: ChangeVerdict] {
        var appearances: [Transmitter: ChangeVerdict] = [:]
        for (transmitter, now) in heard where !reference.knows(transmitter) {
            var verdict = ChangeVerdict()
            verdict.isHeard = true
            for (cell, found) in now {
                verdict.find(
                    found.mean, scansBefore: reference.scans(in: cell, of: transmitter))
            }
            if verdict.gained >= ChangeVerdict.appearedCells { appearances[transmitter] = verdict }
        }
        return appearances
    }
}

extension ChangeReference {
    static let strongLevel = -80.0
    static let strongShare = 0.8
    static let fewestScans = 2

    /// Whether the transmitter is so strong in the cell that a scan cannot miss it.
    func isStrong(_ sum: HeardSum, scans: Int) -> Bool {
        scans >= Self.fewestScans && Double(sum.count) >= Self.strongShare * Double(scans)
            && sum.mean >= Self.strongLevel
    }

    /// The transmitters that every scan of a cell should receive.
    var strongByCell: [SurveyCell: Set<Transmitter>] {
        var strong: [SurveyCell: Set<Transmitter>] = [:]
        for (transmitter, cells) in heard {
            for (cell, sum) in cells
            where isStrong(sum, scans: scans(in: cell, of: transmitter)) {
                strong[cell, default: []].insert(transmitter)
            }
        }
        return strong
    }
}
