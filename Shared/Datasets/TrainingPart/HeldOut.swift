import Events
import Numbers

/// The surveys of a training part that are located by the map of the others.
public enum HeldOut: String, Hashable, Sendable, CaseIterable {
    /// Those of some phones, drawn by chance.
    case phones
    /// Those of each building in turn.
    case buildings
    /// Those of each floor in turn.
    case floors
    /// Those of some places, drawn by chance.
    case places

    /// The share of the surveys, or of the places, that is held out if nobody states another.
    /// Buildings and floors have none.
    public var usualShare: Double? {
        switch self {
        case .phones: 0.1
        case .places: 0.25
        case .buildings, .floors: nil
        }
    }

    /// The share of the surveys that phones may have together, as a multiple of the stated one.
    static let widestShare = 1.5
    /// The number of orders in which phones are drawn until some have the share together.
    static let phoneOrders = 1_000

    /// Some of the surveys, and their names where they have any.
    struct Group {
        var leftOut: [String]
        /// Indices of the surveys, ascending.
        var surveys: [Int]
    }

    /// The groups to hold out, one after the other.
    ///
    /// - Parameters:
    ///   - phones: the phone of each survey; nil where the set does not name it.
    ///   - share: that of the surveys for phones, and that of the places for places.
    /// - Returns: a text for people in place of groups where the set does not have what is held
    ///   out.
    func groups(
        of surveys: [PlacedSurvey], phones: [String?], share: Double, seed: UInt64
    ) -> (groups: [Group], obstacle: String?) {
        switch self {
        case .phones:
            guard Set(phones.compactMap(\.self)).count > 1 else {
                return ([], "the training part names no two phones to hold one out")
            }
            let sizes = Dictionary(grouping: phones.compactMap(\.self)) { $0 }.mapValues(\.count)
            let drawn = Self.phones(sizes, of: surveys.count, share: share, seed: seed)
            guard let drawn else {
                let (least, most) = (percent(share), percent(share * Self.widestShare))
                return (
                    [],
                    "no phones have \(least) to \(most) % of the scans together"
                        + Self.way(to: sizes, of: surveys.count, seed: seed)
                )
            }
            let held = surveys.indices.filter { phones[$0].map(drawn.contains) ?? false }
            return ([Group(leftOut: drawn.sorted(), surveys: held)], nil)
        case .buildings:
            return each(of: surveys.map { $0.building?.text ?? "" }, kind: "buildings")
        case .floors:
            return each(of: surveys.map(\.floor.text), kind: "floors")
        case .places:
            let places = Set(surveys.map(\.place)).sorted()
            let count = Int((share * Double(places.count)).rounded())
            guard count > 0, count < places.count else {
                return ([], "the training part has too few places to hold some out")
            }
            var random = SplitMix64(seed: seed)
            var drawn = places
            random.shuffle(&drawn)
            let left = Set(drawn.prefix(count))
            let held = surveys.indices.filter { left.contains(surveys[$0].place) }
            return ([Group(leftOut: [], surveys: held)], nil)
        }
    }

    /// One group for each name.
    private func each(of names: [String], kind: String) -> (groups: [Group], obstacle: String?) {
        let all = Set(names).sorted()
        guard all.count > 1 else {
            return ([], "the training part has no two \(kind) to leave one out")
        }
        return (
            all.map { name in
                Group(leftOut: [name], surveys: names.indices.filter { names[$0] == name })
            }, nil
        )
    }

    /// Draws complete phones until they have the share of all surveys, and at most `widestShare`
    /// times as much. A phone that would be too much is passed over.
    ///
    /// - Parameters:
    ///   - sizes: the number of surveys of each phone.
    ///   - count: the number of all surveys.
    /// - Returns: nil if no drawn order leads there.
    static func phones(
        _ sizes: [String: Int], of count: Int, share: Double, seed: UInt64
    ) -> Set<String>? {
        var random = SplitMix64(seed: seed)
        var order = sizes.keys.sorted()
        let (least, most) = (share * Double(count), share * widestShare * Double(count))
        for _ in 0..<phoneOrders {
            random.shuffle(&order)
            var drawn: Set<String> = []
            var held = 0
            for phone in order where Double(held + sizes[phone]!) <= most {
                drawn.insert(phone)
                held += sizes[phone]!
                if Double(held) >= least { return drawn }
            }
        }
        return nil
    }

    /// The share of the smallest phone in whole hundredths, for people. It is empty where it holds
    /// out none: that phone may have more than `widestShare` permits.
    static func way(to sizes: [String: Int], of count: Int, seed: UInt64) -> String {
        guard let smallest = sizes.values.min() else { return "" }
        let hundredths = smallest * 100 / count
        guard (1...50).contains(hundredths),
            phones(sizes, of: count, share: Double(hundredths) / 100, seed: seed) != nil
        else { return "" }
        let text = hundredths < 10 ? "0.0\(hundredths)" : "0.\(hundredths)"
        return "; --share \(text) holds out a phone"
    }

    private func percent(_ share: Double) -> String {
        let tenths = (share * 1_000).rounded() / 10
        return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
    }
}
