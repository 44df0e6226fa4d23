import Events
import Glibc
import Site

/// What a thing's tags say about using it. Values that can't be read, or that a site can't hold,
/// are as good as absent.
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

    /// The name, or what the sign says in its place.
    var name: String? { text("name") ?? text("ref") }

    /// From `name:xx`. `name:left` and the like are no languages, which have two or three letters.
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

    /// `limited` is not known for sure: for some wheels it is.
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

    /// Rise over run along the way's own direction: `8%`, `-8 %` or `5°`; `up` and `down` say no
    /// number.
    var slope: Double? {
        guard let text = text("incline"), let unit = text.last else { return nil }
        guard unit == "%" || unit == "°",
            let number = Double(text.dropLast().filter { $0 != " " })
        else { return nil }
        let slope = unit == "%" ? number / 100 : tan(number * .pi / 180)
        return SiteLimits.slope.contains(slope) ? slope : nil
    }

    /// Whether the way rises along its direction; nil where nobody says.
    var rises: Bool? {
        if has("incline", "up") { return true }
        if has("incline", "down") { return false }
        return slope.flatMap { $0 == 0 ? nil : $0 > 0 }
    }

    /// By `kerb:height`, or else as the wiki's page Key:kerb describes the sorts: flush is under a
    /// centimetre, lowered about three, rolled and raised more, which are taken as five and ten.
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

    /// Those of a building by `min_level` and `max_level`, without `non_existent_levels`; empty
    /// where only one end is said.
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

    /// Whether the public is kept out; `foot` says more than `access`.
    var isClosed: Bool {
        if let foot = tags["foot"] { return Self.closed.contains(foot) }
        return tags["access"].map(Self.closed.contains) ?? false
    }

    /// What is closed to the public never opens; people may change that in the editor.
    var openingHours: String? { isClosed ? "off" : text("opening_hours") }

    /// Such as `2`, `1.5 m`, `120 cm`, `0.1km` or `5'6"`.
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
