/// Finds the fault in bytes that simdjson refused, and its position.
///
/// simdjson reports only that a document is bad. This is a simple validator of RFC 8259, one byte
/// at a time, for bad input only. The tests compare the two on mutated documents.
struct JSONDiagnosis {
    private enum Expectation { case value, valueOrEnd, nameOrEnd, name, colon, commaOrEnd, nothing }

    private let bytes: UnsafeRawBufferPointer
    private let maximumDepth: Int
    private var position = 0
    /// The open containers: true for an object, false for an array.
    private var open: [Bool] = []
    private var expectation = Expectation.value

    /// The first fault. If the validator finds none, the fault is `not-json`.
    static func fault(of bytes: UnsafeRawBufferPointer, maximumDepth: Int) -> JSONFault {
        var diagnosis = JSONDiagnosis(bytes: bytes, maximumDepth: maximumDepth)
        do throws(JSONFault) {
            try diagnosis.run()
        } catch {
            return error
        }
        return JSONFault(.notJSON)
    }

    /// The first fault in the bytes. Nil when they are a valid document.
    static func firstFault(in bytes: UnsafeRawBufferPointer, maximumDepth: Int) -> JSONFault? {
        var diagnosis = JSONDiagnosis(bytes: bytes, maximumDepth: maximumDepth)
        do throws(JSONFault) {
            try diagnosis.run()
        } catch {
            return error
        }
        return nil
    }

    private init(bytes: UnsafeRawBufferPointer, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    private mutating func run() throws(JSONFault) {
        guard bytes.contains(where: { !Self.isWhiteSpace($0) }) else { throw JSONFault(.empty) }
        if let wrong = firstByteThatIsNotUTF8(in: bytes) {
            throw JSONFault(.notUTF8, position: wrong)
        }
        while position < bytes.count {
            if Self.isWhiteSpace(bytes[position]) {
                position += 1
            } else {
                try step(bytes[position])
            }
        }
        if expectation != .nothing { throw JSONFault(.truncated, position: bytes.count) }
    }

    private mutating func step(_ byte: UInt8) throws(JSONFault) {
        if open.count > maximumDepth, expectation == .valueOrEnd || expectation == .nameOrEnd,
            byte != UInt8(ascii: "]"), byte != UInt8(ascii: "}")
        {
            throw JSONFault(.tooDeep, position: position)
        }
        switch (expectation, byte) {
        case (.commaOrEnd, UInt8(ascii: ",")):
            position += 1
            expectation = open.last == true ? .name : .value
        case (.commaOrEnd, UInt8(ascii: "}")), (.nameOrEnd, UInt8(ascii: "}")):
            try close(object: true)
        case (.commaOrEnd, UInt8(ascii: "]")), (.valueOrEnd, UInt8(ascii: "]")):
            try close(object: false)
        case (.colon, UInt8(ascii: ":")):
            position += 1
            expectation = .value
        case (.name, UInt8(ascii: "\"")), (.nameOrEnd, UInt8(ascii: "\"")):
            try string()
            expectation = .colon
        case (.value, _), (.valueOrEnd, _): try value(byte)
        default: throw JSONFault(.notJSON, position: position)
        }
    }

    private mutating func close(object: Bool) throws(JSONFault) {
        guard open.last == object else { throw JSONFault(.notJSON, position: position) }
        open.removeLast()
        position += 1
        expectation = open.isEmpty ? .nothing : .commaOrEnd
    }

    private mutating func value(_ byte: UInt8) throws(JSONFault) {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let isObject = byte == UInt8(ascii: "{")
            open.append(isObject)
            position += 1
            expectation = isObject ? .nameOrEnd : .valueOrEnd
            return
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        default: try number()
        }
        expectation = open.isEmpty ? .nothing : .commaOrEnd
    }

    private mutating func literal(_ word: StaticString) throws(JSONFault) {
        for offset in 0..<word.utf8CodeUnitCount {
            guard position < bytes.count else { throw JSONFault(.truncated, position: position) }
            guard bytes[position] == word.utf8Start[offset] else {
                throw JSONFault(.notJSON, position: position)
            }
            position += 1
        }
        try endOfToken()
    }

    private mutating func string() throws(JSONFault) {
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"): try escape()
            case 0..<0x20: throw JSONFault(.notJSON, position: position)
            default: position += 1
            }
        }
        throw JSONFault(.truncated, position: position)
    }

    private mutating func escape() throws(JSONFault) {
        let start = position
        position += 1
        guard position < bytes.count else { throw JSONFault(.truncated, position: position) }
        switch bytes[position] {
        case UInt8(ascii: "u"):
            let unit = try hexadecimal()
            // A high surrogate must be followed by a low one.
            guard (0xD800..<0xDC00).contains(unit) else { return }
            guard position < bytes.count else { throw JSONFault(.truncated, position: position) }
            guard bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count,
                bytes[position + 1] == UInt8(ascii: "u")
            else { throw JSONFault(.notJSON, position: start) }
            position += 1
            guard (0xDC00..<0xE000).contains(try hexadecimal()) else {
                throw JSONFault(.notJSON, position: start)
            }
        case let byte where "\"\\/bfnrt".utf8.contains(byte): position += 1
        default: throw JSONFault(.notJSON, position: position)
        }
    }

    private mutating func hexadecimal() throws(JSONFault) -> Int {
        var unit = 0
        position += 1
        for _ in 0..<4 {
            guard position < bytes.count else { throw JSONFault(.truncated, position: position) }
            guard let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else {
                throw JSONFault(.notJSON, position: position)
            }
            unit = unit << 4 | digit
            position += 1
        }
        return unit
    }

    private mutating func number() throws(JSONFault) {
        let start = position
        var isInteger = true
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try digits() }
        if skip(UInt8(ascii: ".")) {
            isInteger = false
            try digits()
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isInteger = false
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try digits()
        }
        try endOfToken()
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        let isHeld =
            isInteger
            ? Int64(text) != nil || UInt64(text) != nil : Double(text)?.isFinite ?? false
        if !isHeld { throw JSONFault(.numberOutOfRange, position: start) }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func digits() throws(JSONFault) {
        let start = position
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
        guard position == start else { return }
        throw JSONFault(position == bytes.count ? .truncated : .notJSON, position: position)
    }

    private func endOfToken() throws(JSONFault) {
        guard position < bytes.count else { return }
        let byte = bytes[position]
        guard Self.isWhiteSpace(byte) || ",:]}[{\"".utf8.contains(byte) else {
            throw JSONFault(.notJSON, position: position)
        }
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
