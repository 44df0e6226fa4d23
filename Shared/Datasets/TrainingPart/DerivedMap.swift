import Events
import Geometry
import Numbers

/// A radio map unlike the set's own, made of its surveys.
public enum DerivedMap: String, Hashable, Sendable, CaseIterable {
    /// One survey of each place, drawn by chance.
    case oneSurvey = "one-survey"
    /// The surveys of one session, drawn by chance.
    case oneSession = "one-session"
    /// Each survey six times, under ids of their own.
    case copied
    /// The surveys of one phone, drawn by chance.
    case onePhone = "one-phone"

    /// Whether the map holds only the ground where some of the surveys were made.
    var isOfSomeGround: Bool { self == .oneSession || self == .onePhone }

    static let copies = 6
    /// A longer pause of a phone begins another session.
    static let sessionPauseSeconds: Int64 = 3_600
    /// Sessions and phones with a smaller share of the surveys are not drawn, unless there are no
    /// others.
    static let leastShare = 0.05
    /// Metres; scans farther from the map of one session or phone, or on other floors, are not
    /// located: nothing there was surveyed.
    static let reachMetres = 10.0

    /// The surveys of a map, and those that it lacks.
    struct Split {
        /// Indices of the surveys, ascending.
        var map: [Int]
        /// Indices of surveys that may be located; none of a kind of map that holds all.
        var rest: [Int]
    }

    /// Splits the surveys.
    ///
    /// - Parameter phones: the phone of each survey; nil where the set does not name it.
    /// - Returns: a text for people in place of a split where the set does not have what it needs.
    func split(
        _ surveys: [PlacedSurvey], phones: [String?], seed: UInt64
    ) -> (split: Split, obstacle: String?) {
        var random = SplitMix64(seed: seed)
        switch self {
        case .oneSurvey:
            let byPlace = Dictionary(grouping: surveys.indices) { surveys[$0].place }
            let drawn = Set(
                byPlace.sorted { $0.key < $1.key }
                    .map { $0.value[random.below($0.value.count)] })
            return (Split(all: surveys.indices) { drawn.contains($0) }, nil)
        case .oneSession:
            let sessions = Self.sessions(surveys.map(\.survey.scan), phones: phones)
            return (drawn(surveys, among: sessions, &random), nil)
        case .copied:
            return (Split(all: surveys.indices) { _ in true }, nil)
        case .onePhone:
            guard Set(phones.compactMap(\.self)).count > 1 else {
                return (
                    Split(map: [], rest: []), "the training part names no two phones to choose from"
                )
            }
            return (drawn(surveys, among: phones, &random), nil)
        }
    }

    /// Draws one of the groups, each by its number of surveys. The rest is what lies near its map.
    private func drawn<Name: Hashable>(
        _ surveys: [PlacedSurvey], among names: [Name?], _ random: inout SplitMix64
    ) -> Split {
        let named = surveys.indices.filter { names[$0] != nil }
        let sizes = Dictionary(grouping: named) { names[$0] }.mapValues(\.count)
        let least = Self.leastShare * Double(surveys.count)
        let large = named.filter { Double(sizes[names[$0]] ?? 0) >= least }
        let candidates = large.isEmpty ? named : large
        guard !candidates.isEmpty else { return Split(map: [], rest: []) }
        let name = names[candidates[random.below(candidates.count)]]
        var split = Split(all: surveys.indices) { names[$0] == name }
        let reach = Reach(split.map.map { surveys[$0] })
        split.rest.removeAll { !reach.holds(surveys[$0]) }
        return split
    }

    /// The session of each scan, numbered: the scans of one phone without a long pause. Where the
    /// set does not name phones, all scans count as of one.
    static func sessions(_ scans: [ScanRecorded], phones: [String?]) -> [Int?] {
        let order = scans.indices.sorted {
            (phones[$0] ?? "", scans[$0].at, $0) < (phones[$1] ?? "", scans[$1].at, $1)
        }
        var sessions = [Int?](repeating: nil, count: scans.count)
        var session = 0
        for (position, index) in order.enumerated() {
            if position > 0 {
                let previous = order[position - 1]
                let pause = scans[index].at - scans[previous].at
                if phones[previous] != phones[index] || pause > sessionPauseSeconds * 1_000_000 {
                    session += 1
                }
            }
            sessions[index] = session
        }
        return sessions
    }

    /// The surveys of the map, with their copies.
    func surveys(_ surveys: [SurveyRecorded]) -> [SurveyRecorded] {
        guard self == .copied else { return surveys }
        var used = Set(surveys.map(\.scan.id))
        return surveys.flatMap { survey in
            [survey]
                + (1..<Self.copies).map { number in
                    var copy = survey
                    // Bits that ids of data sets hardly use, so that other ids are seldom met.
                    var low = survey.scan.id.low ^ UInt64(number) << 48
                    while !used.insert(EventID(high: survey.scan.id.high, low: low)).inserted {
                        low &+= 1
                    }
                    copy.scan.id = EventID(high: survey.scan.id.high, low: low)
                    return copy
                }
        }
    }
}

extension DerivedMap.Split {
    fileprivate init(all: Range<Int>, isOfMap: (Int) -> Bool) {
        map = all.filter(isOfMap)
        rest = all.filter { !isOfMap($0) }
    }
}

/// The ground near the surveys of a map.
struct Reach {
    private var points = SquareIndex<FloorID, Point>(side: DerivedMap.reachMetres)

    init(_ surveys: [PlacedSurvey]) {
        // A place that was surveyed a thousand times is compared once.
        var known: [FloorID: Set<Point>] = [:]
        for survey in surveys where known[survey.floor, default: []].insert(survey.point).inserted {
            points.insert(survey.point, at: survey.point, on: survey.floor)
        }
    }

    /// Whether a survey of the map is on the survey's floor, within `DerivedMap.reachMetres`.
    func holds(_ survey: PlacedSurvey) -> Bool {
        points.near(survey.point, on: survey.floor).contains {
            $0.distance(to: survey.point) <= DerivedMap.reachMetres
        }
    }
}
