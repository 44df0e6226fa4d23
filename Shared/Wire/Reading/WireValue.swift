internal import Events
internal import JSON

/// A JSON value with its name, which stands in the path of faults. An element of an array has no
/// name.
struct WireValue {
    let json: JSONValue
    let name: StaticString

    init(_ json: JSONValue, name: StaticString = "") {
        self.json = json
        self.name = name
    }

    func fault(_ code: WireFault.Code, _ reason: String) -> WireFault {
        WireFault(code, path: "\(name)", reason)
    }

    func text(maximumBytes: Int = 4_096) throws(WireFault) -> String {
        guard let text = json.text else { throw fault(.fieldWrongType, "text is expected") }
        guard text.count <= maximumBytes else {
            throw fault(.textTooLong, "send at most \(maximumBytes) bytes")
        }
        // PostgreSQL can't store this one character, and no text for people needs it.
        guard text.bytes.firstIndex(of: 0) == nil else {
            throw fault(.textMalformed, "leave U+0000 out of the text: it can't be stored")
        }
        return text.string
    }

    func integer(in range: ClosedRange<Int>) throws(WireFault) -> Int {
        guard let int = json.int else { throw fault(.fieldWrongType, "a whole number is expected") }
        guard range.contains(int) else {
            throw fault(
                .fieldOutOfRange, "\(int) is not within \(range.lowerBound) to \(range.upperBound)")
        }
        return int
    }

    func number() throws(WireFault) -> Double {
        guard let double = json.double else { throw fault(.fieldWrongType, "a number is expected") }
        return double
    }

    func number(
        in range: ClosedRange<Double>, _ code: WireFault.Code = .fieldOutOfRange
    ) throws(WireFault) -> Double {
        let number = try number()
        guard range.contains(number) else {
            throw fault(
                code, "\(number) is not within \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// One of the texts that the type has a case for.
    func choice<Choice: RawRepresentable<String> & CaseIterable>() throws(WireFault) -> Choice {
        let text = try text()
        guard let choice = Choice(rawValue: text) else {
            let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw fault(.fieldOutOfRange, "one of \(known) is expected")
        }
        return choice
    }

    func base64() throws(WireFault) -> [UInt8] {
        guard let text = json.text, let bytes = bytes(fromBase64: text.bytes) else {
            throw fault(.fieldWrongType, "base64 is expected")
        }
        return bytes
    }

    func bool() throws(WireFault) -> Bool {
        guard let bool = json.bool else {
            throw fault(.fieldWrongType, "true or false is expected")
        }
        return bool
    }

    func time() throws(WireFault) -> Timestamp {
        guard let text = json.text else {
            throw fault(.fieldWrongType, "a time is expected, as text")
        }
        guard let microseconds = RFC3339.microseconds(utf8: text.bytes) else {
            throw fault(.timeMalformed, "this is not an RFC 3339 time with its offset")
        }
        return Timestamp(microseconds: microseconds)
    }

    func eventID(_ code: WireFault.Code = .idMalformed) throws(WireFault) -> EventID {
        guard let text = json.text else {
            throw fault(.fieldWrongType, "a UUID is expected, as text")
        }
        guard let id = EventID(utf8: text.bytes) else {
            throw fault(code, "this is not a UUID of 36 characters")
        }
        return id
    }

    func identifier<Identifier: TextIdentifier>(
        _ code: WireFault.Code = .identifierMalformed
    ) throws(WireFault) -> Identifier {
        guard let text = json.text else {
            throw fault(.fieldWrongType, "an id is expected, as text")
        }
        guard (1...64).contains(text.count), text.bytes.allSatisfy(isIdentifierByte) else {
            throw fault(code, "an id is 1 to 64 of A-Z a-z 0-9 . _ -")
        }
        return Identifier(text.string)
    }

    func coordinate() throws(WireFault) -> Double {
        try number(in: -1e6...1e6, .coordinatesOutOfRange)
    }

    func latitude() throws(WireFault) -> Double {
        try number(in: -90...90, .coordinatesOutOfRange)
    }

    func longitude() throws(WireFault) -> Double {
        try number(in: -180...180, .coordinatesOutOfRange)
    }

    func address(_ code: WireFault.Code) throws(WireFault) -> HardwareAddress {
        guard let text = json.text else {
            throw fault(.fieldWrongType, "an address is expected, as text")
        }
        guard let address = HardwareAddress(utf8: text.bytes) else {
            throw fault(code, "an address is six bytes in hex, such as 00:62:ec:fd:ec:50")
        }
        return address
    }
}

private func isIdentifierByte(_ byte: UInt8) -> Bool {
    // Subtraction wraps around, so one comparison shows whether a byte is within a range.
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
}
