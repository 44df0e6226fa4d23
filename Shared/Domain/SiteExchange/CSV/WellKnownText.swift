import Geometry

/// Polygons as well-known text (OGC 06-103r4, section 7): `POLYGON ((0 0, 4 0, 4 3, 0 0))`, holes
/// after the outline.
enum WellKnownText {
    static func polygon(_ outline: Ring, holes: [Ring]) -> String {
        guard !outline.isEmpty else { return "" }
        let rings = ([outline] + holes).map { ring in
            let corners = (ring.corners + ring.corners.prefix(1)).map {
                "\(number($0.x)) \(number($0.y))"
            }
            return "(\(corners.joined(separator: ", ")))"
        }
        return "POLYGON (\(rings.joined(separator: ", ")))"
    }

    /// The rings without their repeated last corners, the outline first; nil for text that is no
    /// polygon.
    static func rings(_ text: String) -> [Ring]? {
        let word = "POLYGON"
        let trimmed = text.trimmed
        guard trimmed.prefix(word.count).uppercased() == word else { return nil }
        let rest = String(trimmed.dropFirst(word.count)).trimmed
        guard rest.first == "(", rest.last == ")", rest.utf8.count >= 2 else { return nil }
        var rings: [Ring] = []
        for part in rest.dropFirst().dropLast().split(
            separator: ")", omittingEmptySubsequences: false)
        {
            var ring = String(part).trimmed
            if ring.isEmpty { continue }
            if !rings.isEmpty {
                guard ring.first == "," else { return nil }
                ring = String(ring.dropFirst()).trimmed
            }
            guard ring.first == "(", let corners = corners(ring.dropFirst()) else { return nil }
            rings.append(corners)
        }
        return rings.isEmpty ? nil : rings
    }

    private static func corners(_ text: Substring) -> Ring? {
        var corners: [Point] = []
        for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
            let numbers = pair.split(separator: " ").map { Double($0) }
            guard numbers.count == 2, let x = numbers[0], let y = numbers[1], x.isFinite,
                y.isFinite
            else { return nil }
            corners.append(Point(x: x, y: y))
        }
        if corners.count > 1, corners.first == corners.last { corners.removeLast() }
        return Ring(corners)
    }

    /// The number as text, without a needless `.0`.
    static func number(_ value: Double) -> String {
        let text = "\(value)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension String {
    /// The text without spaces at both ends.
    var trimmed: String {
        var text = self[...]
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
