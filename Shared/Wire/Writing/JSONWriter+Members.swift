import JSON

extension JSONWriter {
    mutating func array<Element>(
        _ name: StaticString, _ elements: some Sequence<Element>,
        _ write: (Element, inout JSONWriter) -> Void
    ) {
        self.name(name)
        beginArray()
        for element in elements { write(element, &self) }
        endArray()
    }

    mutating func array(_ name: StaticString, _ texts: some Sequence<String>) {
        array(name, texts) { $1.string($0) }
    }

    /// Writes a member that is null where there is no value; `field` leaves it out.
    mutating func nullable(_ name: StaticString, _ text: String?) {
        self.name(name)
        if let text { string(text) } else { null() }
    }

    /// The cursor of the next page; null on the last page.
    mutating func next(_ cursor: String?) { nullable("next", cursor) }

    /// Writes a value that is JSON already.
    mutating func raw(json: [UInt8]) { json.withUnsafeBytes { raw($0) } }

    /// Writes a value from a column of the database that is JSON already.
    mutating func raw(json: String) { raw(json: Array(json.utf8)) }
}
