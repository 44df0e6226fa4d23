internal import Events
internal import JSON

extension JSONWriter {
    mutating func identifiers(_ name: StaticString, _ identifiers: [some TextIdentifier]) {
        self.name(name)
        beginArray()
        for identifier in identifiers { string(identifier.text) }
        endArray()
    }
}

extension FieldReader {
    func identifiers<Identifier: TextIdentifier>(
        _ name: StaticString
    ) throws(WireFault) -> [Identifier] {
        try elements(name) { (value) throws(WireFault) in try value.identifier() }
    }
}
