/// Reads comma-separated values (RFC 4180) from bytes in memory, one record at a time. It makes no
/// String of each field, because a fingerprint set has millions.
struct CSVReader {
    let file: String
    /// The number of the record's first line, counted from 1.
    private(set) var line = 0
    private let bytes: [UInt8]
    private var position = 0
    private var linesBefore = 0
    /// Start and end of each field of the record, with its quotes.
    private var starts: [Int] = []
    private var ends: [Int] = []

    init(_ bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
        // A byte order mark is not part of the first column's name.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    var count: Int { starts.count }

    /// Reads the next record that is not an empty line; false at the end.
    mutating func next() throws(DatasetFault) -> Bool {
        while position < bytes.count {
            line = linesBefore + 1
            starts.removeAll(keepingCapacity: true)
            ends.removeAll(keepingCapacity: true)
            try scanRecord()
            if starts.count > 1 || starts[0] < ends[0] { return true }
        }
        return false
    }

    private mutating func scanRecord() throws(DatasetFault) {
        var isQuoted = false
        var isOpen = true
        var start = position
        var cursor = position
        bytes.withUnsafeBufferPointer { bytes in
            while isOpen, cursor < bytes.count {
                let byte = bytes[cursor]
                if byte == UInt8(ascii: "\"") {
                    isQuoted.toggle()
                } else if byte == UInt8(ascii: "\n") {
                    linesBefore += 1
                    isOpen = isQuoted
                } else if byte == UInt8(ascii: ","), !isQuoted {
                    starts.append(start)
                    ends.append(cursor)
                    start = cursor + 1
                }
                cursor += 1
            }
        }
        guard !isQuoted else { throw fault("a quote is never closed") }
        var end = isOpen ? cursor : cursor - 1
        if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        starts.append(start)
        ends.append(end)
        position = cursor
    }

    /// The field as text, unquoted and without spaces around.
    func text(_ field: Int) -> String {
        var raw = bytes[starts[field]..<ends[field]]
        while let first = raw.first, first == UInt8(ascii: " ") { raw.removeFirst() }
        while let last = raw.last, last == UInt8(ascii: " ") { raw.removeLast() }
        guard raw.count >= 2, raw.first == UInt8(ascii: "\""), raw.last == UInt8(ascii: "\"")
        else { return String(decoding: raw, as: UTF8.self) }
        var unquoted: [UInt8] = []
        var wasQuote = false
        for byte in raw.dropFirst().dropLast() {
            if byte == UInt8(ascii: "\""), wasQuote {
                wasQuote = false
                continue
            }
            wasQuote = byte == UInt8(ascii: "\"")
            unquoted.append(byte)
        }
        return String(decoding: unquoted, as: UTF8.self)
    }

    func number(_ field: Int, name: String) throws(DatasetFault) -> Double {
        guard field < count else { throw fault("is missing", column: name) }
        if let value = plainNumber(starts[field], ends[field]) { return value }
        guard let value = Double(text(field)), value.isFinite else {
            throw fault("\(text(field)) is not a number", column: name)
        }
        return value
    }

    /// The field as a whole number; 3.0 counts as one.
    func whole(_ field: Int, name: String) throws(DatasetFault) -> Int {
        let value = try number(field, name: name)
        guard let whole = Int(exactly: value) else {
            throw fault("\(value) is not a whole number", column: name)
        }
        return whole
    }

    func fault(_ detail: String, column: String? = nil) -> DatasetFault {
        DatasetFault(file: file, line: line, column: column, detail: detail)
    }

    /// Digits with an optional sign and point, at most 15 digits; nil for any other form. A
    /// quotient of two integers below 2^53 and 10^22 is rounded once, so the value is the nearest
    /// (Clinger 1990).
    private func plainNumber(_ start: Int, _ end: Int) -> Double? {
        bytes.withUnsafeBufferPointer { bytes in
            var cursor = start
            let isNegative = cursor < end && bytes[cursor] == UInt8(ascii: "-")
            if isNegative { cursor += 1 }
            var value: UInt64 = 0
            var digits = 0
            var divisor = 1.0
            var isAfterPoint = false
            while cursor < end {
                let digit = bytes[cursor] &- UInt8(ascii: "0")
                if digit <= 9 {
                    value = value * 10 + UInt64(digit)
                    digits += 1
                    if isAfterPoint { divisor *= 10 }
                    guard digits <= 15 else { return nil }
                } else if bytes[cursor] == UInt8(ascii: "."), !isAfterPoint {
                    isAfterPoint = true
                } else {
                    return nil
                }
                cursor += 1
            }
            guard digits > 0 else { return nil }
            return (isNegative ? -Double(value) : Double(value)) / divisor
        }
    }
}
