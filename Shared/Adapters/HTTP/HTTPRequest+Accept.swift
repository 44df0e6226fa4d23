extension HTTPRequest {
    /// The available form of the answer that the client prefers (RFC 9110, 12.5.1).
    ///
    /// Among equally good forms the client's first one wins, then the first available one. A client
    /// that accepts anything gets the first available form. So does one that asks for
    /// `application/json` when no form is `application/json` itself.
    ///
    /// - Parameter what: the plural name of the answer, such as `Maps`, for the refusal's text.
    ///
    /// - Throws: 406 when the client accepts none of the forms.
    public func accepted<Form: CaseIterable & RawRepresentable>(
        _: Form.Type, _ what: String
    ) throws(Problem) -> Form where Form.RawValue == String {
        let forms = Array(Form.allCases)
        precondition(!forms.isEmpty, "an answer needs at least one form")
        guard let accept = header("accept") else { return forms[0] }
        let ranges = accept.split(separator: ",").map { MediaRange($0) }
        let hasJSON = forms.contains { $0.rawValue == "application/json" }
        var best: (form: Form, quality: Double, place: Int)?
        for (number, form) in forms.enumerated() {
            let names = [form.rawValue] + (number == 0 && !hasJSON ? ["application/json"] : [])
            guard let found = MediaRange.of(names, in: ranges), found.quality > 0 else { continue }
            if let best, (best.quality, -best.place) >= (found.quality, -found.place) { continue }
            best = (form, found.quality, found.place)
        }
        if let best { return best.form }
        throw Problem(
            .notAcceptable,
            "\(what) come as \(forms.map(\.rawValue).joined(separator: ", ")).")
    }
}

/// One part of an Accept field: a type or a range of types, with the client's preference.
private struct MediaRange {
    let type: String
    /// The preference from 0, not acceptable, to 1.
    let quality: Double

    init(_ text: Substring) {
        let parts = text.split(separator: ";").map { part in
            part.filter { !$0.isWhitespace }.lowercased()
        }
        type = parts.first ?? ""
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { $0.dropFirst(2) }
        // The type counts even when its weight is malformed.
        quality = weight.flatMap { Double($0) }.map { min(max($0, 0), 1) } ?? 1
    }

    /// The quality and position of the narrowest range that contains the type.
    ///
    /// - Parameter names: the type and its other names.
    static func of(_ names: [String], in ranges: [MediaRange]) -> (quality: Double, place: Int)? {
        let group = (names.first ?? "").prefix { $0 != "/" } + "/*"
        for name in names + [String(group), "*/*"] {
            if let place = ranges.firstIndex(where: { $0.type == name }) {
                return (ranges[place].quality, place)
            }
        }
        return nil
    }
}
