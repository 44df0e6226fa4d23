import Events
import Foundation
import Geometry
import Numbers
import Positioning

@testable import Simulation

/// The comparison of one person's positions with the truth.
struct SourceFigures {
    /// Metres; a lost scan counts with its distance to the middle of the house.
    private(set) var errors: [Double] = []
    /// The errors, with 4 m more where the floor is wrong, where the device is lost, and where
    /// outdoors and indoors are confused.
    private(set) var costs: [Double] = []
    private(set) var floorsRight = 0
    private(set) var scansInRooms = 0
    private(set) var roomsRight = 0
    private(set) var scansOutdoors = 0
    private(set) var outdoorsRight = 0
    private(set) var roomChanges = 0
    private(set) var restingScans = 0
    private var roomAtRest: RoomID?

    static let wrongFloorMetres = 4.0
    private static let middle = Point(x: 24, y: 27.5)

    /// - Parameter isAtRest: whether a new room counts as a change at rest.
    mutating func add(_ estimate: Estimate, _ truth: TrueMoment, isAtRest: Bool) {
        let place = estimate.place
        let error = (place?.point ?? Self.middle).distance(to: truth.point)
        let isFloorRight = place?.floor == truth.floor
        errors.append(error)
        costs.append(error + (isFloorRight ? 0 : Self.wrongFloorMetres))
        if isFloorRight { floorsRight += 1 }
        if truth.isOutdoors {
            scansOutdoors += 1
            if isFloorRight { outdoorsRight += 1 }
        } else {
            scansInRooms += 1
            if place?.room == truth.room { roomsRight += 1 }
        }
        if isAtRest {
            if restingScans > 0, place?.room != roomAtRest { roomChanges += 1 }
            roomAtRest = place?.room
            restingScans += 1
        }
    }

    static func + (left: SourceFigures, right: SourceFigures) -> SourceFigures {
        var sum = left
        sum.errors += right.errors
        sum.costs += right.costs
        sum.floorsRight += right.floorsRight
        sum.scansInRooms += right.scansInRooms
        sum.roomsRight += right.roomsRight
        sum.scansOutdoors += right.scansOutdoors
        sum.outdoorsRight += right.outdoorsRight
        sum.roomChanges += right.roomChanges
        sum.restingScans += right.restingScans
        return sum
    }

    var meanError: Double { Self.mean(errors) }
    var meanCost: Double { Self.mean(costs) }
    /// The share of scans whose room is wrong, and outdoors of those that are not outdoors.
    var wrongShare: Double {
        1 - Double(roomsRight + outdoorsRight) / Double(max(1, scansInRooms + scansOutdoors))
    }
    var changesPerHour: Double {
        let hours = Double(restingScans * SourceSensors.scanSeconds) / 3_600
        return hours > 0 ? Double(roomChanges) / hours : 0
    }

    /// The figures as cells of a table.
    var cells: [String] {
        func share(_ part: Int, _ whole: Int) -> String {
            whole == 0 ? "-" : String(format: "%.3f", Double(part) / Double(whole))
        }
        return [
            String(format: "%.2f", meanError),
            String(format: "%.2f", nearestRank(errors.sorted(), 0.95) ?? 0),
            share(roomsRight, scansInRooms), share(floorsRight, errors.count),
            String(format: "%.1f", changesPerHour), share(outdoorsRight, scansOutdoors),
        ]
    }

    private static func mean(_ values: [Double]) -> Double {
        values.reduce(0, +) / Double(max(1, values.count))
    }
}

/// The mean of the differences of several people, with its standard error. People differ; the scans
/// of one of them are alike.
struct PairedGain {
    let mean: Double
    let standardError: Double

    /// - Parameters:
    ///   - with: a value of each person with all sources.
    ///   - without: the same without one source. Larger is worse.
    init(with: [Double], without: [Double]) {
        precondition(with.count == without.count && with.count > 1)
        let differences = zip(without, with).map { $0 - $1 }
        let count = Double(differences.count)
        let mean = differences.reduce(0, +) / count
        self.mean = mean
        let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        standardError = (squares / (count - 1) / count).squareRoot()
    }

    /// Whether the source helps by more than twice the standard error.
    var isClear: Bool { mean > 2 * standardError }
    /// Whether it harms by as much.
    var isHarm: Bool { -mean > 2 * standardError }

    var text: String { String(format: "%+.3f ± %.3f", mean, standardError) }
}
