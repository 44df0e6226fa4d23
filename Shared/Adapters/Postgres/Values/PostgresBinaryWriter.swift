import FaultPoints

/// Writes values into a buffer in PostgreSQL's binary format: big endian (the `*send` functions of
/// the server's `src/backend/utils/adt`).
///
/// A value that does not fit the format throws the error that the server would give.
struct PostgresBinaryWriter {
    var bytes: [UInt8] = []

    mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends the value without its length. Appends nothing for null.
    mutating func append(_ value: PostgresValue) throws(PostgresError) {
        switch value {
        case .null: break
        case .bool(let value): append(UInt8(value ? 1 : 0))
        case .int32(let value): append(value)
        case .int64(let value): append(value)
        case .double(let value): append(value.bitPattern)
        case .text(let value): bytes.append(contentsOf: value.utf8)
        case .bytes(let value), .uuid(let value): bytes.append(contentsOf: value)
        case .timestamp(let value): append(try Self.sinceEpoch(value))
        case .json(let value):
            append(UInt8(1))  // The version of jsonb's binary format.
            bytes.append(contentsOf: value.utf8)
        case .int32Array(let values): try appendNumbers(values, type: PostgresType.int32)
        case .int64Array(let values): try appendNumbers(values, type: PostgresType.int64)
        case .doubleArray(let values):
            try appendNumbers(values.map(\.bitPattern), type: PostgresType.double)
        case .boolArray(let values):
            try appendNumbers(values.map { UInt8($0 ? 1 : 0) }, type: PostgresType.bool)
        case .textArray(let values):
            try appendArray(values, type: PostgresType.text, size: \.utf8.count) {
                $0.bytes.append(contentsOf: $1.utf8)
            }
        case .bytesArray(let values):
            bytes.reserveCapacity(bytes.count + values.reduce(20) { $0 + 4 + ($1?.count ?? 0) })
            try appendArray(values, type: PostgresType.bytes, size: \.count) {
                $0.bytes.append(contentsOf: $1)
            }
        case .timestampArray(let values):
            let moments = try values.map { value throws(PostgresError) in
                try value.map { moment throws(PostgresError) in try Self.sinceEpoch(moment) }
            }
            try appendArray(
                moments, type: PostgresType.timestamp, size: { _ in 8 }, { $0.append($1) })
        }
    }

    /// Appends a field of COPY's binary format: length and value, with the length -1 for null.
    mutating func appendField(_ value: PostgresValue) throws(PostgresError) {
        guard value != .null else { return append(Int32(-1)) }
        append(Int32(0))
        let start = bytes.count
        try append(value)
        let length = try Self.count(bytes.count - start).bigEndian
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: length, toByteOffset: start - 4, as: Int32.self)
        }
    }

    /// Converts microseconds since 1970 to microseconds since PostgreSQL's epoch.
    private static func sinceEpoch(_ microseconds: Int64) throws(PostgresError) -> Int64 {
        if PlantedMistake.uncheckedCursor.isPlanted {
            return microseconds - PostgresValue.epochMicroseconds
        }
        let (moment, isBeyond) = microseconds.subtractingReportingOverflow(
            PostgresValue.epochMicroseconds)
        guard !isBeyond else {
            throw PostgresError(sqlState: "22008", reason: "a time is out of range")
        }
        return moment
    }

    /// Checks that a length or count fits 32 bits.
    private static func count(_ count: Int) throws(PostgresError) -> Int32 {
        guard let count = Int32(exactly: count) else {
            throw PostgresError(sqlState: "54000", reason: "a value has over 2 GB")
        }
        return count
    }

    private mutating func appendArrayHead(
        count: Int, hasNull: Bool, type: UInt32
    ) throws(PostgresError) {
        // Written in one piece, because small arrays are frequent.
        let head = (
            Int32(count == 0 ? 0 : 1).bigEndian, Int32(hasNull ? 1 : 0).bigEndian, type.bigEndian,
            try Self.count(count).bigEndian, Int32(1).bigEndian
        )
        withUnsafeBytes(of: head) {
            bytes.append(
                contentsOf: count == 0 ? UnsafeRawBufferPointer(rebasing: $0.prefix(12)) : $0)
        }
    }

    private mutating func appendNumbers<Number: FixedWidthInteger>(
        _ numbers: [Number], type: UInt32
    ) throws(PostgresError) {
        try appendArrayHead(count: numbers.count, hasNull: false, type: type)
        for number in numbers {
            append(Int32(MemoryLayout<Number>.size))
            append(number)
        }
    }

    private mutating func appendArray<Element>(
        _ elements: [Element?], type: UInt32, size: (Element) -> Int,
        _ body: (inout PostgresBinaryWriter, Element) -> Void
    ) throws(PostgresError) {
        let hasNull = elements.contains { $0 == nil }
        try appendArrayHead(count: elements.count, hasNull: hasNull, type: type)
        for element in elements {
            guard let element else {
                append(Int32(-1))
                continue
            }
            append(try Self.count(size(element)))
            body(&self, element)
        }
    }
}
