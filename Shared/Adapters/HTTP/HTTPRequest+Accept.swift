extension HTTPRequest {
    /// The form of the answer that the client likes best, of those that there are: RFC 9110,
    /// 12.5.1.
    ///
    /// Of equally good ones the one that the client names first, and then the first that there is:
    /// that is the one for clients that take anything, and, where no form is `application/json`
    /// itself, for those that take that.
    /// - Parameter what: what there is to be had, such as `Maps`, for the sentence of a refusal.
    /// - Throws: 406 when the client takes none of them.
    public func accepted<Form: CaseIterable & RawRepresentable>(
        _: Form.Type, _ what: String
    ) throws(Problem) -> Form where Form.RawValue == String {
        let forms = Array(Form.allCases)
        precondition(!forms.isEmpty, "a form to answer in")
        guard let accept = header("accept") else { return forms[0] }
        let ranges = accept.split(separator: ",").map { MediaRange($0) }
        let hasJSON = forms.contains { $0.rawValue == "application/json" }
        var best: (form: Form, quality: Double, place: Int)?
        for (number, form) in forms.enumerated() {
            let names = [form.rawValue] + (number == 0 && !hasJSON ? ["application/json"] : [])
            guard let taken = MediaRange.of(names, in: ranges), taken.quality > 0 else { continue }
            if let best, (best.quality, -best.place) >= (taken.quality, -taken.place) { continue }
            best = (form, taken.quality, taken.place)
        }
        if let best { return best.form }
        throw Problem(
            .notAcceptable,
            "\(what) come as \(forms.map(\.rawValue).joined(separator: ", ")).")
    }
}

/// One part of an Accept field: a type or a range of types, and how much it is liked.
private struct MediaRange {
    let type: String
    /// 0 for not at all, to 1.
    let quality: Double

    init(_ text: Substring) {
        let parts = text.split(separator: ";").map { part in
            part.filter { !$0.isWhitespace }.lowercased()
        }
        type = parts.first ?? ""
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { $0.dropFirst(2) }
        // Who writes nonsense for a weight still named the type.
        quality = weight.flatMap { Double($0) }.map { min(max($0, 0), 1) } ?? 1
    }

    /// The narrowest of the ranges that hold the type, and its place among them.
    /// - Parameter names: the type, and what else it goes by.
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
