/// JSON Merge Patch (RFC 7396): a patch has the shape of the document that it changes.
public enum JSONMergePatch {
    /// Applies the patch and returns the new document. Throws `JSONFault` when the patch or the
    /// document is not JSON.
    ///
    /// The document's members keep their order, and new ones follow. If a name occurs twice, the
    /// last value counts.
    public static func apply(_ patch: [UInt8], to document: [UInt8]) throws -> [UInt8] {
        var writer = JSONWriter(capacity: document.count + patch.count)
        try JSONParser.read(document) { target in
            try JSONParser.read(patch) { patch in writer.merge(patch, into: target) }
        }
        return writer.finish()
    }
}

extension JSONWriter {
    fileprivate mutating func merge(_ patch: JSONValue, into target: JSONValue?) {
        guard let changes = patch.object else {
            value(patch)
            return
        }
        let before = members(target?.object)
        let after = members(changes)
        let patched = Dictionary(after.map { ($0.name, $0.value) }) { _, last in last }
        beginObject()
        for (name, value) in before {
            guard let change = patched[name] else {
                self.name(name)
                self.value(value)
                continue
            }
            if change.isNull { continue }
            self.name(name)
            merge(change, into: value)
        }
        let known = Set(before.map(\.name))
        for (name, value) in after where !known.contains(name) && !value.isNull {
            self.name(name)
            merge(value, into: nil)
        }
        endObject()
    }

    /// The members. If a name occurs twice, only the last one.
    private func members(_ object: JSONObject?) -> [(name: String, value: JSONValue)] {
        guard let object else { return [] }
        var places: [String: Int] = [:]
        var members: [(name: String, value: JSONValue)] = []
        for member in object {
            let name = member.name.string
            if let place = places[name] {
                members[place].value = member.value
            } else {
                places[name] = members.count
                members.append((name, member.value))
            }
        }
        return members
    }
}

extension JSONWriter {
    /// Writes a parsed value with all its contents.
    public mutating func value(_ value: JSONValue) {
        switch value.kind {
        case .object:
            beginObject()
            if let object = value.object {
                for member in object {
                    name(member.name.string)
                    self.value(member.value)
                }
            }
            endObject()
        case .array:
            beginArray()
            if let array = value.array { for element in array { self.value(element) } }
            endArray()
        case .string: string(value.string ?? "")
        case .number:
            // Integers stay integers, whatever their size.
            if let whole = value.int {
                integer(whole)
            } else if let whole = value.unsignedInteger {
                integer(whole)
            } else {
                number(value.double ?? 0)
            }
        case .bool: bool(value.bool ?? false)
        case .null: null()
        }
    }
}
