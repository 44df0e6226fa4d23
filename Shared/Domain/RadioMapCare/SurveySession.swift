import Events
import Geometry
import Positioning

/// A square of a floor in which surveys are compared.
struct SurveyCell: Hashable, Comparable {
    let floor: FloorID
    let x: Int64
    let y: Int64

    init(_ point: Point, on floor: FloorID) {
        self.floor = floor
        x = Int64((point.x / ChangeDetector.cellMetres).rounded(.down))
        y = Int64((point.y / ChangeDetector.cellMetres).rounded(.down))
    }

    var centre: Point {
        Point(
            x: (Double(x) + 0.5) * ChangeDetector.cellMetres,
            y: (Double(y) + 0.5) * ChangeDetector.cellMetres)
    }

    static func < (left: Self, right: Self) -> Bool {
        (left.floor, left.x, left.y) < (right.floor, right.x, right.y)
    }
}

/// A survey whose place is in the site.
struct PlacedSurvey {
    let id: EventID
    let scanner: ScannerID
    let cell: SurveyCell
    let scan: RadioScan
}

/// Surveys in order of time with no long gap between them; not empty.
struct SurveySession {
    /// Counted from 0.
    let number: Int
    var surveys: [PlacedSurvey]

    var start: Timestamp { surveys[0].scan.at }
}

/// The number and the strength of a transmitter's readings in a cell.
struct HeardSum {
    var count = 0
    var sum = 0.0

    var mean: Double { sum / Double(count) }

    mutating func add(_ rssi: Double) {
        count += 1
        sum += rssi
    }

    static func += (left: inout HeardSum, right: HeardSum) {
        left.count += right.count
        left.sum += right.sum
    }
}

/// The combined readings of all sessions so far, for each transmitter.
struct ChangeReference {
    /// Only readings since the transmitter last moved.
    private(set) var heard: [Transmitter: [SurveyCell: HeardSum]] = [:]
    /// The scanners that have ever received each transmitter.
    private(set) var listeners: [Transmitter: Set<ScannerID>] = [:]
    /// The number of scans of each session in a cell.
    private var scans: [SurveyCell: [(session: Int, count: Int)]] = [:]
    /// The first session whose readings of a transmitter count; 0 where it has no entry.
    private var begin: [Transmitter: Int] = [:]

    /// The number of scans of a cell since the transmitter last moved.
    func scans(in cell: SurveyCell, of transmitter: Transmitter) -> Int {
        let first = begin[transmitter] ?? 0
        return (scans[cell] ?? []).reduce(0) { $0 + ($1.session >= first ? $1.count : 0) }
    }

    /// Whether any session has received the transmitter.
    func knows(_ transmitter: Transmitter) -> Bool { listeners[transmitter] != nil }

    mutating func forget(_ transmitter: Transmitter, session: Int) {
        heard[transmitter] = nil
        begin[transmitter] = session
    }

    mutating func add(_ session: SessionSummary) {
        for (cell, count) in session.scans {
            scans[cell, default: []].append((session: session.number, count: count))
        }
        for (transmitter, scanners) in session.listeners {
            listeners[transmitter, default: []].formUnion(scanners)
        }
        for (transmitter, cells) in session.heard {
            for (cell, sum) in cells {
                heard[transmitter, default: [:]][cell, default: HeardSum()] += sum
            }
        }
    }
}
