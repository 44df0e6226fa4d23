import Events
import Geometry

/// The level of a scan: the mean of its strongest readings, in dBm. Walls and distance lower it,
/// whatever the place within a building.
struct RadioLevel: Sendable {
    /// The usual level of a part of the radio map.
    struct Reference: Hashable, Sendable {
        /// dBm.
        let level: Double
        /// The number of strongest readings of which it is the mean.
        let count: Int
        /// The deviation of a scan's level from it, without that of the receiver's offset; in dB.
        let deviation: Double
    }

    /// More surveys do not change a mean.
    private static let mostSurveys = 2_000

    private let map: RadioMap
    private let transmitters: TransmitterNumbers
    private let radios: Set<Radio>
    /// The surveys of each square and of each floor, ascending. A site may have as many doors and
    /// floors as surveys.
    private let squares: SquareIndex<Int32, Int>
    private let floors: [[Int]]

    /// The radio that receives a transmitter.
    private enum Radio: Hashable {
        case wifi
        case bluetooth
        case nodes

        init(_ transmitter: Transmitter) {
            switch transmitter {
            case .wifi: self = .wifi
            case .beacon, .bluetooth: self = .bluetooth
            case .node: self = .nodes
            }
        }
    }

    init(_ map: RadioMap) {
        self.map = map
        transmitters = TransmitterNumbers(map)
        radios = Set(map.transmitters.map(Radio.init))
        var squares = SquareIndex<Int32, Int>(side: OutdoorsRules.surveyMetres)
        var floors = [[Int]](repeating: [], count: map.floors.count)
        for (index, survey) in map.fingerprints.enumerated() {
            squares.insert(index, at: survey.point, on: survey.floor)
            floors[Int(survey.floor)].append(index)
        }
        (self.squares, self.floors) = (squares, floors)
    }

    /// Whether the scan was made by a radio that receives the map's transmitters. Where only Wi-Fi
    /// was surveyed, a scan of Bluetooth alone says nothing about walls.
    func tells(_ scan: RadioScan) -> Bool {
        scan.readings.contains { radios.contains(Radio($0.transmitter)) }
    }

    /// The level of a scan by the transmitters that the map has, people's telephones excepted.
    func level(of scan: RadioScan, count: Int) -> Double {
        var strongest = Strongest(count)
        for reading in scan.readings where transmitters[reading.transmitter] != nil {
            strongest.add(Double(reading.rssi))
        }
        return strongest.mean
    }

    /// The level behind a door, of the surveys near it; nil without. That of its floor is the same
    /// for all doors.
    func reference(at point: Point, on floor: Int32) -> Reference? {
        let near = squares.near(point, on: floor).filter {
            map.fingerprints[$0].point.distance(to: point) <= OutdoorsRules.surveyMetres
        }
        return reference(near.sorted(), OutdoorsRules.deviationAtDoor)
    }

    /// The level of a floor, or of the complete map; nil without surveys.
    func reference(on floor: Int32?) -> Reference? {
        let surveys = floor.map { floors[Int($0)] } ?? Array(map.fingerprints.indices)
        let stride = max(1, surveys.count / Self.mostSurveys)
        return reference(
            surveys.indices.filter { $0.isMultiple(of: stride) }.map { surveys[$0] },
            OutdoorsRules.deviationAnywhere)
    }

    /// The level of these surveys; nil for none.
    func reference(_ surveys: [Int], _ deviation: Double) -> Reference? {
        guard !surveys.isEmpty else { return nil }
        let counts = surveys.map { map.readings(of: $0).count }.sorted()
        let count = min(OutdoorsRules.strongest, max(1, counts[counts.count / 2] / 2))
        let sum = surveys.reduce(0.0) { sum, survey in
            var strongest = Strongest(count)
            for position in map.readings(of: survey) {
                strongest.add(Double(map.readingRSSI[position]))
            }
            return sum + strongest.mean
        }
        // The fewer readings, the less of their noise averages out.
        let noise = OutdoorsRules.deviationOfReading * OutdoorsRules.deviationOfReading
        let share = 1 / Double(count) - 1 / Double(OutdoorsRules.strongest)
        return Reference(
            level: sum / Double(surveys.count), count: count,
            deviation: (deviation * deviation + noise * share).squareRoot())
    }

    /// The few strongest of some levels.
    private struct Strongest {
        /// Descending.
        private var levels: [Double]

        init(_ count: Int) {
            levels = [Double](repeating: OutdoorsRules.missingLevel, count: count)
        }

        mutating func add(_ level: Double) {
            guard var place = levels.indices.last, level > levels[place] else { return }
            while place > 0, levels[place - 1] < level {
                levels[place] = levels[place - 1]
                place -= 1
            }
            levels[place] = level
        }

        var mean: Double { levels.reduce(0, +) / Double(levels.count) }
    }
}
