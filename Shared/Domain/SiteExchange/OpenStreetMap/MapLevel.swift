/// A value of OpenStreetMap's key `level`, such as -1 or 0.5, exact to a hundredth.
struct MapLevel: Hashable, Comparable, Sendable {
    /// The range of ordinals that floors may have.
    static let range = MapLevel(whole: -100)...MapLevel(whole: 300)
    static let ground = MapLevel(whole: 0)

    let hundredths: Int

    init(hundredths: Int) { self.hundredths = hundredths }
    init(whole: Int) { hundredths = whole * 100 }

    static func < (left: Self, right: Self) -> Bool { left.hundredths < right.hundredths }

    /// The level as text, such as `-1` or `0.5`.
    var text: String {
        let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
        var text = (hundredths < 0 ? "-" : "") + String(whole)
        if rest > 0 {
            text += rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
        }
        return text
    }

    var isWhole: Bool { hundredths % 100 == 0 }

    /// The difference of two levels, in hundredths.
    func distance(to other: Self) -> Int { abs(hundredths - other.hundredths) }
}

/// Parses `level` and `repeat_on` of Simple Indoor Tagging. Values are numbers, lists such as `0;1`
/// and `0,1`, and ranges such as `1-3`, `-1-3` or `-3--1`. A range counts by one from its first
/// number.
enum MapLevels {
    /// The levels in their order, each once; nil if one part is no level.
    static func read(_ text: String) -> [MapLevel]? {
        var levels: [MapLevel] = []
        for part in text.split(whereSeparator: { $0 == ";" || $0 == "," }) {
            guard let more = range(part) else { return nil }
            for level in more where !levels.contains(level) { levels.append(level) }
        }
        return levels.isEmpty ? nil : levels
    }

    private static func range(_ text: Substring) -> [MapLevel]? {
        var rest = Array(text.unicodeScalars.filter { $0 != " " }.prefix(40))[...]
        guard let first = number(&rest) else { return nil }
        if rest.isEmpty { return [first] }
        // A hyphen, or the dash that some people type instead.
        guard let dash = rest.popFirst(), dash == "-" || dash == "\u{2013}",
            let last = number(&rest), rest.isEmpty
        else { return nil }
        let (low, high) = (min(first, last), max(first, last))
        var levels = stride(from: low.hundredths, through: high.hundredths, by: 100)
            .map(MapLevel.init(hundredths:))
        if levels.last != high { levels.append(high) }
        return first <= last ? levels : levels.reversed()
    }

    /// Parses and removes a number at the beginning.
    private static func number(_ text: inout ArraySlice<Unicode.Scalar>) -> MapLevel? {
        var sign = 1
        if text.first == "-" || text.first == "\u{2212}" {
            sign = -1
            text.removeFirst()
        } else if text.first == "+" {
            text.removeFirst()
        }
        guard let whole = digits(&text), whole.count <= 3, !whole.isEmpty else { return nil }
        var hundredths = whole.reduce(0) { $0 * 10 + $1 } * 100
        if text.first == "." {
            text.removeFirst()
            guard let part = digits(&text), !part.isEmpty else { return nil }
            hundredths += part[0] * 10 + (part.count > 1 ? part[1] : 0)
        }
        let level = MapLevel(hundredths: sign * hundredths)
        return MapLevel.range.contains(level) ? level : nil
    }

    private static func digits(_ text: inout ArraySlice<Unicode.Scalar>) -> [Int]? {
        var digits: [Int] = []
        while let scalar = text.first, ("0"..."9").contains(scalar) {
            digits.append(Int(scalar.value) - 48)
            text.removeFirst()
        }
        return digits
    }
}
