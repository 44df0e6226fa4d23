import SeededRandomness
import SiteExchange

/// Damages the values of JSON: ids without a target, rings that cross themselves, numbers and texts
/// beyond all bounds. Members are removed, repeated, or changed in type.
enum ValueDamage {
    private static let hostile: [PropertyValue] = [
        .null, true, 0, -1, 9_007_199_254_740_993, 1e308, -1e-308, 200, "", "Ω", "\u{0}\u{7}\n",
        "https://example.org", "00000000-0000-0000-0000-000000000000", [], [:],
        .list([1e9, -1e9]), .list([.list([.list([0, 0])])]), ["en": ""], ["type": "Polygon"],
        .text(String(repeating: "x", count: 10_000)),
        .text(String(repeating: "\u{202e}e\u{301}", count: 200)),
        .list(Array(repeating: .list([12.5, 41.9]), count: 5_000)),
    ]

    static func damage(_ value: inout PropertyValue, _ random: inout SeededRandom) {
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            let donor = part(of: value, &random)
            change(&value, donor, &random)
        }
    }

    /// A random part of the value, at any depth.
    private static func part(
        of value: PropertyValue, _ random: inout SeededRandom
    ) -> PropertyValue {
        var part = value
        while Int.random(in: 0..<6, using: &random) > 0 {
            let inner = part.list + part.members.map(\.value)
            guard let next = inner.randomElement(using: &random) else { break }
            part = next
        }
        return part
    }

    /// Changes a random part of the value, at any depth.
    private static func change(
        _ value: inout PropertyValue, _ donor: PropertyValue, _ random: inout SeededRandom
    ) {
        switch value {
        case .list(var list) where !list.isEmpty && Int.random(in: 0..<8, using: &random) > 0:
            let index = Int.random(in: list.indices, using: &random)
            change(&list[index], donor, &random)
            value = .list(list)
        case .members(var members)
        where !members.isEmpty && Int.random(in: 0..<8, using: &random) > 0:
            let index = Int.random(in: members.indices, using: &random)
            change(&members[index].value, donor, &random)
            value = .members(members)
        default: harm(&value, donor, &random)
        }
    }

    private static func harm(
        _ value: inout PropertyValue, _ donor: PropertyValue, _ random: inout SeededRandom
    ) {
        switch (value, Int.random(in: 0..<6, using: &random)) {
        case (_, 0): value = donor
        case (_, 1): value = hostile.randomElement(using: &random) ?? .null
        case (.list(var list), 2...3) where !list.isEmpty:
            list.swapAt(
                Int.random(in: list.indices, using: &random),
                Int.random(in: list.indices, using: &random))
            value = .list(list)
        case (.list(var list), _) where !list.isEmpty:
            let index = Int.random(in: list.indices, using: &random)
            if Bool.random(using: &random) {
                list.insert(list[index], at: index)
            } else {
                list.remove(at: index)
            }
            value = .list(list)
        case (.members(var members), _) where !members.isEmpty:
            let index = Int.random(in: members.indices, using: &random)
            if Bool.random(using: &random) {
                members.append(.init(members[index].name, donor))
            } else {
                members.remove(at: index)
            }
            value = .members(members)
        case (.integer(let number), _): value = .number(Double(number) * 1e6 + 0.5)
        case (.number(let number), 2...3): value = .number(-number)
        case (.number(let number), _):
            value = .number(number + Double.random(in: -0.001...0.001, using: &random))
        case (.text(let text), _): value = .text(text + text)
        default: value = hostile.randomElement(using: &random) ?? .null
        }
    }
}
