internal import Events
internal import JSON

/// A part of a site, or of a document of beacons, that is written as one JSON object.
protocol DocumentRecord {
    func write(to writer: inout JSONWriter)
}

extension JSONWriter {
    mutating func list(_ name: StaticString, _ records: [some DocumentRecord]) {
        self.name(name)
        beginArray()
        for record in records { record.write(to: &self) }
        endArray()
    }

    mutating func listUnlessEmpty(_ name: StaticString, _ records: [some DocumentRecord]) {
        if !records.isEmpty { list(name, records) }
    }

    /// Points, [x, y] each.
    mutating func corners(_ name: StaticString, _ corners: [[Double]]) {
        self.name(name)
        array(of: corners)
    }

    fileprivate mutating func array(of corners: [[Double]]) {
        beginArray()
        for corner in corners {
            beginArray()
            for coordinate in corner { number(coordinate) }
            endArray()
        }
        endArray()
    }
}

extension JSONWriter {
    mutating func rings(_ name: StaticString, _ rings: [[[Double]]]) {
        self.name(name)
        beginArray()
        for ring in rings { array(of: ring) }
        endArray()
    }

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

/// A corner of an outline.
func corner(_ value: WireValue) throws(WireFault) -> [Double] {
    let corner = try value.elements { (number) throws(WireFault) in try number.coordinate() }
    guard corner.count == 2 else {
        throw value.fault(.fieldOutOfRange, "a corner is two numbers: x and y")
    }
    return corner
}

/// A ring of corners.
func ring(_ value: WireValue) throws(WireFault) -> [[Double]] { try value.elements(corner) }
