import Events
import Site

/// A part of a record that is taken from a file, or kept, as one.
struct MergeField<Record> {
    enum Outcome {
        /// It stays: the file has not changed it.
        case kept
        case taken
        case conflict(inFile: String, kept: String)
    }

    let name: String
    /// Changes the record that people have. Without a record of the last import, what differs is as if both
    /// had changed it.
    let merge: (_ base: Record?, _ imported: Record, _ current: inout Record) -> Outcome

    /// Values that only make sense together count as one.
    init(_ name: String, _ parts: [MergePart<Record>]) {
        self.name = name
        merge = { base, imported, current in
            let differs = parts.contains { !$0.isSame(imported, current) }
            guard differs else { return .kept }
            if let base {
                if parts.allSatisfy({ $0.isSame(imported, base) }) { return .kept }
                if parts.allSatisfy({ $0.isSame(current, base) }) {
                    for part in parts { part.take(imported, &current) }
                    return .taken
                }
            }
            return .conflict(
                inFile: shown(parts.map { $0.text(imported) }),
                kept: shown(parts.map { $0.text(current) }))
        }
    }

    init(_ name: String, _ path: WritableKeyPath<Record, some Hashable>) {
        self.init(name, [MergePart(path)])
    }

    /// Each language is a field of its own.
    init(_ name: String, languages path: WritableKeyPath<Record, Translations>) {
        self.name = name
        merge = { base, imported, current in
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
}

/// One value of a record.
struct MergePart<Record> {
    let isSame: (Record, Record) -> Bool
    let take: (_ from: Record, _ to: inout Record) -> Void
    let text: (Record) -> String

    init(_ path: WritableKeyPath<Record, some Hashable>) {
        isSame = { $0[keyPath: path] == $1[keyPath: path] }
        take = { $1[keyPath: path] = $0[keyPath: path] }
        text = { described($0[keyPath: path]) }
    }
}

/// A value in words for people, whatever it is in the program.
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
