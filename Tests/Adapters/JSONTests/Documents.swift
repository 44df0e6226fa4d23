import JSON

/// The fault of parsing the bytes. Nil when they are a document.
func fault(_ bytes: [UInt8], maximumDepth: Int = 32) -> JSONFault? {
    do {
        try JSONParser(maximumDepth: maximumDepth).parse(bytes) { _ in }
        return nil
    } catch {
        return error as? JSONFault
    }
}

func fault(_ text: String, maximumDepth: Int = 32) -> JSONFault? {
    fault(Array(text.utf8), maximumDepth: maximumDepth)
}

/// Parses a document and writes it again, with members and elements in order.
func rewritten(_ bytes: [UInt8]) throws -> [UInt8] {
    try JSONParser.read(bytes) { root in
        var writer = JSONWriter(capacity: 1)
        write(root, to: &writer)
        return writer.finish()
    }
}

private func write(_ value: JSONValue, to writer: inout JSONWriter) {
    switch value.kind {
    case .null: writer.null()
    case .bool: writer.bool(value.bool == true)
    case .string: writer.string(value.string ?? "")
    case .number:
        if let int = value.int {
            writer.integer(int)
        } else if let unsigned = value.unsignedInteger {
            writer.integer(unsigned)
        } else {
            writer.number(value.double ?? .nan)
        }
    case .array:
        writer.beginArray()
        if let array = value.array { for element in array { write(element, to: &writer) } }
        writer.endArray()
    case .object:
        writer.beginObject()
        if let object = value.object {
            for member in object {
                writer.name(member.name.string)
                write(member.value, to: &writer)
            }
        }
        writer.endObject()
    }
}
