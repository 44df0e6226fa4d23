import Directions
import HTTP
import Wire

/// The texts of pages that the server makes, in one language.
struct PageWords: Sendable {
    /// The language's code, such as `cy`.
    let code: String
    private let texts: [String: String]
    private let fallback: [String: String]

    /// The text of a key, with its `{names}` filled in. A text that a language lacks is English; a
    /// key that no language has stands for itself, so that a test sees it.
    func callAsFunction(_ key: String, _ values: KeyValuePairs<String, String> = [:]) -> String {
        var rest = Substring(texts[key] ?? fallback[key] ?? key)
        var filled = ""
        // A value is never searched for names itself.
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = rest[rest.index(after: open)..<close]
            filled += rest[..<open]
            filled += values.first { $0.key == name }?.value ?? "{\(name)}"
            rest = rest[rest.index(after: close)...]
            // A name that ends in a full stop ends its sentence with it.
            if filled.hasSuffix("."), rest.hasPrefix(".") { rest = rest.dropFirst() }
        }
        return filled + rest
    }

    /// The text of a key as it is; nil for a key that no language has.
    func text(_ key: String) -> String? { texts[key] ?? fallback[key] }

    /// A text by number: its keys end in `.one` and `.other`, and in further forms of plural where
    /// the language has them.
    func callAsFunction(_ key: String, count: Int, of total: Int? = nil) -> String {
        // Welsh has the forms of Unicode's CLDR: zero, one, two, few (3) and many (6).
        let forms = [0: "zero", 1: "one", 2: "two", 3: "few", 6: "many"]
        let form = code == "cy" || count == 1 ? forms[count] : nil
        let exact = form.map { "\(key).\($0)" }.flatMap { texts[$0] == nil ? nil : $0 }
        return self(
            exact ?? "\(key).other",
            ["count": String(count), "total": total.map(String.init) ?? ""])
    }

    /// A distance, rounded as the sentences of directions round theirs.
    func distance(_ metres: Double) -> String {
        switch SpokenDistance(metres: metres) {
        case .metres(let count): self("unit.metres", ["number": String(count)])
        case .tenthsOfKilometre(let tenths):
            self("unit.kilometres", ["number": number(tenths: tenths)])
        case nil: self("unit.metres", ["number": "1"])
        }
    }

    private func number(tenths: Int) -> String {
        let separator = ["de", "ru"].contains(code) ? "," : "."
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10)\(separator)\(tenths % 10)"
    }

    /// A time of travel in minutes, as the app rounds it.
    func duration(_ seconds: Double) -> String {
        guard seconds >= 45 else { return self("unit.lessThanMinute") }
        // No way takes longer than a year.
        let minutes = max(1, Int((min(seconds, 31_536_000) / 60).rounded()))
        guard minutes >= 60 else { return self("unit.minutes", ["number": String(minutes)]) }
        return self(
            "unit.hours", ["hours": String(minutes / 60), "minutes": String(minutes % 60)])
    }

    /// All languages, English first.
    static let all: [PageWords] = {
        let files = AppFiles.all.compactMap { name, bytes -> (code: String, [String: String])? in
            guard name.hasPrefix("languages/"), name.hasSuffix(".json") else { return nil }
            let code = String(name.dropFirst("languages/".count).dropLast(".json".count))
            guard let texts = try? FlatTexts(json: bytes) else { return nil }
            return (code, texts.byKey)
        }
        let english = files.first { $0.code == "en" }?.1 ?? [:]
        return files.map { PageWords(code: $0.code, texts: $0.1, fallback: english) }
            .sorted { ($0.code == "en" ? "" : $0.code) < ($1.code == "en" ? "" : $1.code) }
    }()

    /// The words for a reader: those of `?lang=`, else the best of Accept-Language, else English.
    static func words(for request: HTTPRequest) -> PageWords {
        let wanted = [request.firstQuery("lang")].compactMap(\.self) + accepted(request)
        return wanted.lazy.compactMap(exact).first ?? english
    }

    /// The words of a language; English ones for nil and for languages without words.
    static func words(inLanguage tag: String?) -> PageWords { tag.flatMap(exact) ?? english }

    private static func exact(_ tag: String) -> PageWords? {
        let code = tag.prefix { $0 != "-" }.lowercased()
        return all.first { $0.code == code }
    }

    private static var english: PageWords {
        all.first ?? PageWords(code: "en", texts: [:], fallback: [:])
    }

    /// The tags of Accept-Language, the most wanted first (RFC 9110, section 12.5.4).
    private static func accepted(_ request: HTTPRequest) -> [String] {
        let parts = (request.header("accept-language") ?? "").split(separator: ",").prefix(20)
        let weighed = parts.enumerated().map { place, part in
            let words = part.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            let weight = words.dropFirst().first { $0.hasPrefix("q=") }
                .flatMap { Double($0.dropFirst(2)) }
            return (tag: words.first ?? "", weight: weight ?? 1, place: place)
        }
        return weighed.filter { $0.weight > 0 }
            .sorted { ($1.weight, $0.place) < ($0.weight, $1.place) }.map(\.tag)
    }
}
