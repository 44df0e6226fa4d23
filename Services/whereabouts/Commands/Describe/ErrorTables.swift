import Wire

/// The table of problems in the sections of docs/errors.md.
enum ErrorTables {
    private struct Section {
        var title: String
        /// The section's first code. The section ends before the first code of the next one.
        var first: ProblemCode
        var note = ""
    }

    private static let sections = [
        Section(title: "The request", first: .pathMalformed),
        Section(
            title: "The body", first: .bodyEmpty,
            note: """
                If a JSON object has two members with one name, the last one counts, as in \
                JavaScript. The status answers a single body, and stands beside each refused scan \
                of a batch. Each code can also be that of a dead letter.


                """),
        Section(title: "What it names", first: .siteMissing),
        Section(title: "Records of the log alone", first: .valueMissing),
        Section(title: "People", first: .signInWrong),
    ]

    static var text: String {
        let codes = ProblemCode.allCases
        let starts = sections.map { codes.firstIndex(of: $0.first) ?? 0 }
        let ends = starts.dropFirst() + [codes.count]
        return zip(sections, zip(starts, ends)).map { section, range in
            let rows = codes[range.0..<max(range.0, range.1)].map { row($0.rawValue) }
            return "\n## \(section.title)\n\n" + section.note
                + DescribedTable.markdown(["code", "status", "what to do"], rows)
        }.joined(separator: "\n") + "\n"
    }

    private static func row(_ row: ProblemRow) -> [String] {
        var places: [String] = []
        if row.isAnswered {
            places = [row.status, row.otherStatus].compactMap { $0.map(String.init) }
        }
        switch row.place {
        case .letter: places.append("dead letter")
        case .apply: places.append("`dead-letters apply`")
        case nil: break
        }
        return ["`\(row.code)`", places.joined(separator: ", "), String(row.advice)]
    }
}
