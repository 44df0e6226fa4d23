import Events
import Site

/// A field of a record, or a group of fields that only make sense together and are merged as one.
struct MergeField<Record> {
    enum Outcome {
        /// The field keeps its value, since the file did not change it.
        case kept
        case taken
        case conflict(inFile: String, kept: String)
    }

    let name: String
    private var parts: [RecordField<Record>]

    /// The groups of the fields, in their order.
    static func groups(of fields: [RecordField<Record>]) -> [MergeField] {
        var groups: [MergeField] = []
        for field in fields {
            guard let name = field.group else { continue }
            if let index = groups.firstIndex(where: { $0.name == name }) {
                groups[index].parts.append(field)
            } else {
                groups.append(MergeField(name: name, parts: [field]))
            }
        }
        return groups
    }

    /// Merges the field into the current record. Without a base, a difference counts as changed by
    /// both.
    func merge(_ base: Record?, _ imported: Record, _ current: inout Record) -> Outcome {
        if let languages = parts[0].languages {
            return merge(languages, base, imported, &current)
        }
        guard parts.contains(where: { !$0.isSame(imported, current) }) else { return .kept }
        if let base {
            if parts.allSatisfy({ $0.isSame(imported, base) }) { return .kept }
            if parts.allSatisfy({ $0.isSame(current, base) }) {
                for part in parts { part.copy(imported, &current) }
                return .taken
            }
        }
        return .conflict(
            inFile: shown(parts.map { described($0.value(imported)) }),
            kept: shown(parts.map { described($0.value(current)) }))
    }

    /// Merges each language as a field of its own.
    private func merge(
        _ path: WritableKeyPath<Record, Translations>, _ base: Record?, _ imported: Record,
        _ current: inout Record
    ) -> Outcome {
        let before = base?[keyPath: path].byLanguage
        let file = imported[keyPath: path].byLanguage
        var now = current[keyPath: path].byLanguage
        var outcome = Outcome.kept
        for language in Set(file.keys).union(now.keys).sorted() {
            let (theirs, ours) = (file[language], now[language])
            guard theirs != ours, before == nil || before?[language] != theirs else { continue }
            guard let before, before[language] == ours else {
                outcome = .conflict(
                    inFile: shown(["\(language): \(theirs ?? "-")"]),
                    kept: shown(["\(language): \(ours ?? "-")"]))
                continue
            }
            now[language] = theirs
            if case .kept = outcome { outcome = .taken }
        }
        current[keyPath: path].byLanguage = now
        return outcome
    }
}

/// A value as text for people, without the syntax of Swift.
private func described(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { described($0.value) } ?? "-"
    case .collection, .set:
        return "[" + mirror.children.map { described($0.value) }.joined(separator: ", ") + "]"
    default: break
    }
    if let text = value as? any CustomStringConvertible { return text.description }
    guard !mirror.children.isEmpty else { return "\(value)" }
    return mirror.children.compactMap { label, value in
        let text = described(value)
        return text == "-" ? nil : "\(label ?? ""): \(text)"
    }.joined(separator: ", ")
}

private func shown(_ texts: [String]) -> String {
    String(texts.joined(separator: ", ").prefix(200))
}
