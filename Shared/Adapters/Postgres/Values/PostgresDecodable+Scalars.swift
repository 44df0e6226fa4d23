/// Reads integers of any width that fit. A `timestamptz` is read as microseconds since 1970.
extension Int64: PostgresDecodable, PostgresArrayElement {
    public static func decode(
        _ bytes: UnsafeRawBufferPointer?, type: UInt32
    ) throws(PostgresError) -> Int64 {
        var reader = PostgresBinaryReader(try present(bytes, as: Int64.self))
        return switch type {
        case PostgresType.int64: try reader.next(Int64.self)
        case PostgresType.int32: Int64(try reader.next(Int32.self))
        case PostgresType.int16: Int64(try reader.next(Int16.self))
        case PostgresType.oid: Int64(try reader.next(UInt32.self))
        case PostgresType.timestamp:
            try reader.next(Int64.self) &+ PostgresValue.epochMicroseconds
        default: throw .misuse("a column of type \(type) can't be read as an integer")
        }
    }
}

extension Int: PostgresDecodable, PostgresArrayElement {
    public static func decode(
        _ bytes: UnsafeRawBufferPointer?, type: UInt32
    ) throws(PostgresError) -> Int { Int(try Int64.decode(bytes, type: type)) }
}

extension Int32: PostgresDecodable, PostgresArrayElement {
    public static func decode(
        _ bytes: UnsafeRawBufferPointer?, type: UInt32
    ) throws(PostgresError) -> Int32 {
        guard let value = Int32(exactly: try Int64.decode(bytes, type: type)) else {
            throw .misuse("the number does not fit 32 bits; read the column as Int64")
        }
        return value
    }
}

extension Double: PostgresDecodable, PostgresArrayElement {
    public static func decode(
        _ bytes: UnsafeRawBufferPointer?, type: UInt32
    ) throws(PostgresError) -> Double {
        switch type {
        case PostgresType.double:
            var reader = PostgresBinaryReader(try present(bytes, as: Double.self))
            return Double(bitPattern: try reader.next(UInt64.self))
        case PostgresType.float:
            var reader = PostgresBinaryReader(try present(bytes, as: Double.self))
            return Double(Float(bitPattern: try reader.next(UInt32.self)))
        default: return Double(try Int64.decode(bytes, type: type))
        }
    }
}

extension Bool: PostgresDecodable, PostgresArrayElement {
    public static func decode(
        _ bytes: UnsafeRawBufferPointer?, type: UInt32
    ) throws(PostgresError) -> Bool {
        let bytes = try present(bytes, as: Bool.self)
        guard type == PostgresType.bool, bytes.count == 1 else {
            throw .misuse("a column of type \(type) can't be read as a Bool")
        }
        return bytes[0] != 0
    }
}

/// Reads text of any kind, JSON and enum labels. A `uuid` is read in its usual notation.
extension String: PostgresDecodable, PostgresArrayElement {
    public static func decode(
        _ bytes: UnsafeRawBufferPointer?, type: UInt32
    ) throws(PostgresError) -> String {
        let bytes = try present(bytes, as: String.self)
        switch type {
        case PostgresType.jsonb: return String(decoding: bytes.dropFirst(), as: UTF8.self)
        case PostgresType.uuid: return uuidNotation(bytes)
        case PostgresType.bool, PostgresType.int16, PostgresType.int32, PostgresType.int64,
            PostgresType.float, PostgresType.double, PostgresType.timestamp, PostgresType.bytes:
            throw .misuse("a column of type \(type) can't be read as text")
        default: return String(decoding: bytes, as: UTF8.self)
        }
    }

    private static func uuidNotation(_ bytes: UnsafeRawBufferPointer) -> String {
        var digits = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { digits.append("-") }
            let hexadecimal = String(byte, radix: 16)
            digits += hexadecimal.count == 1 ? "0" + hexadecimal : hexadecimal
        }
        return digits
    }
}
