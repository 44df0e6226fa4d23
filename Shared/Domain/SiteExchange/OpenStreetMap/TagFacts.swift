import Events
import Glibc
import Site

/// The facts in a thing's tags. Values that can't be parsed, or that a site does not allow, count
/// as missing.
struct TagFacts {
    let tags: OpenStreetMapData.Tags

    init(_ tags: OpenStreetMapData.Tags) { self.tags = tags }

    func has(_ key: String, _ values: String...) -> Bool {
        tags[key].map { values.contains($0) } ?? false
    }

    func text(_ key: String) -> String? {
        guard let text = tags[key], !text.isEmpty, text.utf8.count <= SiteLimits.textBytes,
            !hasControlCharacter(text)
        else { return nil }
        return text
    }

    /// The name, or else the text of `ref`, which is on the sign.
    var name: String? { text("name") ?? text("ref") }

    /// The names in tags such as `name:cy`. Languages have two or three letters, so `name:left` is
    /// none.
    var names: Translations {
        var names: [String: String] = [:]
        for (key, value) in tags.sorted(by: { $0.key < $1.key }) where key.hasPrefix("name:") {
            let language = key.dropFirst(5)
            guard names.count < SiteLimits.languages, isLanguage(language), text(key) != nil
            else { continue }
            names[String(language)] = value
        }
        return Translations(names)
    }

    private func isLanguage(_ text: Substring) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count <= 35, (2...3).contains(parts[0].count),
            parts[0].allSatisfy({ $0.isASCII && $0.isLowercase })
        else { return false }
        return parts.dropFirst().allSatisfy { part in
            (1...8).contains(part.count)
                && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
    }

    /// The value `limited` becomes unknown, since only some wheelchairs can pass.
    var accessible: Accessibility {
        switch tags["wheelchair"] {
        case "yes", "designated": .yes
        case "no": .no
        default: has("ramp:wheelchair", "yes") ? .yes : .unknown
        }
    }

    var widthMetres: Double? {
        for key in ["width", "maxwidth:physical", "est_width"] {
            if let metres = text(key).flatMap(Self.metres), SiteLimits.widthMetres.contains(metres)
            {
                return metres
            }
        }
        return nil
    }

    /// Rise over run in the direction of the way, from values such as `8%`, `-8 %` or `5°`. The
    /// values `up` and `down` give no number.
    var slope: Double? {
        guard let text = text("incline"), let unit = text.last else { return nil }
        guard unit == "%" || unit == "°",
            let number = Double(text.dropLast().filter { $0 != " " })
        else { return nil }
        let slope = unit == "%" ? number / 100 : tan(number * .pi / 180)
        return SiteLimits.slope.contains(slope) ? slope : nil
    }

    /// The direction of a way without a slope in numbers.
    var leads: Ascent? {
        switch tags["incline"] {
        case "up": .up
        case "down": .down
        default: nil
        }
    }

    /// Whether the way is on a bridge, in a tunnel or under a roof.
    var isOffGround: Bool {
        ["bridge", "tunnel", "covered", "indoor"].contains { key in
            tags[key].map { $0 != "no" } ?? false
        }
    }

    /// Whether the way rises in its direction; nil if that is not tagged.
    var rises: Bool? {
        leads.map { $0 == .up } ?? slope.flatMap { $0 == 0 ? nil : $0 > 0 }
    }

    /// Sides are those of the way's direction (OpenStreetMap wiki, Key:handrail).
    var handrail: Handrail? {
        let (left, right) = (tags["handrail:left"], tags["handrail:right"])
        switch (left.map { $0 != "no" }, right.map { $0 != "no" }, tags["handrail"]) {
        case (true, true, _), (nil, nil, "both"): return .both
        case (true, _, _), (nil, nil, "left"): return .left
        case (_, true, _), (nil, nil, "right"): return .right
        case (_, _, "yes"), (_, _, "center"): return .unstated
        case (false, false, _), (nil, nil, "no"): return .missing
        default: return has("handrail:center", "yes") ? .unstated : nil
        }
    }

    var doorKind: DoorKind? { tags["door"].flatMap(DoorKind.init) }

    var isGlass: Bool? { has("material", "glass") ? true : nil }

    /// Nil for ribs or knobs that lead astray.
    var hasTactilePaving: Bool? {
        switch tags["tactile_paving"] {
        case "yes", "contrasted", "primitive": true
        case "no": false
        default: nil
        }
    }

    /// The height in `kerb:height`, or else that of the kind of kerb (OpenStreetMap wiki,
    /// Key:kerb). Flush is under a centimetre and lowered about three; rolled counts as five and
    /// raised as ten.
    var kerbMetres: Double? {
        if let metres = text("kerb:height").flatMap(Self.metres),
            SiteLimits.kerbMetres.contains(metres)
        {
            return metres
        }
        switch tags["kerb"] {
        case "flush", "no": return 0
        case "lowered": return 0.03
        case "rolled": return 0.05
        case "raised": return 0.1
        default: return nil
        }
    }

    var isAutomatic: Bool? {
        switch tags["automatic_door"] {
        case nil: nil
        case "no": false
        default: true
        }
    }

    /// The levels of a building from `min_level` to `max_level`, without `non_existent_levels`;
    /// empty if one of the ends is missing.
    var buildingLevels: [MapLevel] {
        guard let low = text("min_level").flatMap(MapLevels.read),
            let high = text("max_level").flatMap(MapLevels.read), low.count == 1, high.count == 1,
            low[0] <= high[0]
        else { return [] }
        let missing = text("non_existent_levels").flatMap(MapLevels.read) ?? []
        return stride(from: low[0].hundredths, through: high[0].hundredths, by: 100)
            .map(MapLevel.init(hundredths:)).filter { !missing.contains($0) }
    }

    var stepCount: Int? {
        tags["step_count"].flatMap { Int($0) }.flatMap {
            SiteLimits.steps.contains(Double($0)) ? $0 : nil
        }
    }

    private static let closed: Set = ["no", "private"]

    /// Whether the public may not enter; `foot` has precedence over `access`.
    var isClosed: Bool {
        if let foot = tags["foot"] { return Self.closed.contains(foot) }
        return tags["access"].map(Self.closed.contains) ?? false
    }

    /// A way closed to the public never opens. Editors may change that later.
    var openingHours: String? { isClosed ? "off" : text("opening_hours") }

    /// Parses `2`, `1.5 m`, `120 cm`, `0.1km` or `5'6"`.
    static func metres(_ text: String) -> Double? {
        let text = text.filter { $0 != " " }
        if let feet = feet(text) { return feet }
        for (unit, metres) in [("cm", 0.01), ("mm", 0.001), ("km", 1_000), ("m", 1), ("", 1)]
        where text.hasSuffix(unit) {
            guard let number = Double(text.dropLast(unit.count)), number.isFinite else {
                return nil
            }
            return number * metres
        }
        return nil
    }

    private static func feet(_ text: String) -> Double? {
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        guard parts.count == 2, let feet = Double(parts[0]) else { return nil }
        if parts[1].isEmpty { return feet * 0.304_8 }
        guard parts[1].last == "\"", let inches = Double(parts[1].dropLast()) else { return nil }
        return (feet * 12 + inches) * 0.025_4
    }
}
