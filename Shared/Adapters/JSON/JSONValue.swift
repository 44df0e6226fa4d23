/// A value of a parsed document: a position on simdjson's tape.
///
/// It is valid only inside the closure that `JSONParser` called, and must not be kept.
public struct JSONValue {
    public enum Kind: Hashable, Sendable { case object, array, string, number, bool, null }

    @usableFromInline let tape: UnsafePointer<UInt64>
    @usableFromInline let strings: UnsafePointer<UInt8>
    @usableFromInline let index: Int

    @inlinable
    init(tape: UnsafePointer<UInt64>, strings: UnsafePointer<UInt8>, index: Int) {
        self.tape = tape
        self.strings = strings
        self.index = index
    }

    @inlinable var word: UInt64 { tape[index] }
    /// The letter in the top byte gives the word's kind (simdjson's doc/tape.md).
    @inlinable var tag: UInt8 { UInt8(truncatingIfNeeded: word >> 56) }

    /// The tape position after this value.
    @inlinable var end: Int {
        switch tag {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            Int(truncatingIfNeeded: word & 0xFFFF_FFFF)
        case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): index + 2
        default: index + 1
        }
    }

    public var kind: Kind {
        switch tag {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }

    @inlinable public var isNull: Bool { tag == UInt8(ascii: "n") }

    @inlinable public var object: JSONObject? {
        tag == UInt8(ascii: "{") ? JSONObject(value: self) : nil
    }

    @inlinable public var array: JSONArray? {
        tag == UInt8(ascii: "[") ? JSONArray(value: self) : nil
    }

    /// The bytes of a string, without escapes. Nil for other values.
    @inlinable public var text: JSONText? {
        guard tag == UInt8(ascii: "\"") else { return nil }
        let start = strings + Int(truncatingIfNeeded: word & 0x00FF_FFFF_FFFF_FFFF)
        let count = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
        return JSONText(start: start + 4, count: Int(count))
    }

    @inlinable public var string: String? { text?.string }

    @inlinable public var bool: Bool? {
        switch tag {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: nil
        }
    }

    /// An integer that fits; `4.0` and `4e0` are read as 4. Nil for other values.
    @inlinable public var int: Int? {
        switch tag {
        case UInt8(ascii: "l"): Int(Int64(bitPattern: tape[index + 1]))
        case UInt8(ascii: "d"): Int(exactly: Double(bitPattern: tape[index + 1]))
        default: nil
        }
    }

    /// An integer that is not negative and fits. Nil for other values.
    @inlinable public var unsignedInteger: UInt64? {
        switch tag {
        case UInt8(ascii: "u"): tape[index + 1]
        case UInt8(ascii: "l"): UInt64(exactly: Int64(bitPattern: tape[index + 1]))
        case UInt8(ascii: "d"): UInt64(exactly: Double(bitPattern: tape[index + 1]))
        default: nil
        }
    }

    /// Any number as a finite double. Nil for other values.
    @inlinable public var double: Double? {
        switch tag {
        case UInt8(ascii: "d"): Double(bitPattern: tape[index + 1])
        case UInt8(ascii: "l"): Double(Int64(bitPattern: tape[index + 1]))
        case UInt8(ascii: "u"): Double(tape[index + 1])
        default: nil
        }
    }
}

/// The bytes of a string in a document, valid as long as the document.
public struct JSONText {
    public let start: UnsafePointer<UInt8>
    public let count: Int

    @inlinable
    init(start: UnsafePointer<UInt8>, count: Int) {
        self.start = start
        self.count = count
    }

    @inlinable public var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: start, count: count)
    }

    @inlinable public var string: String { String(decoding: bytes, as: UTF8.self) }

    @inlinable
    public static func == (left: JSONText, right: StaticString) -> Bool {
        let count = left.count
        guard count == right.utf8CodeUnitCount else { return false }
        let one = UnsafeRawPointer(left.start)
        let other = UnsafeRawPointer(right.utf8Start)
        // Comparing two words that may overlap covers any count up to twice a word's size.
        switch count {
        case 4...8:
            return word32(one, 0) == word32(other, 0)
                && word32(one, count - 4) == word32(other, count - 4)
        case 9...16:
            return word64(one, 0) == word64(other, 0)
                && word64(one, count - 8) == word64(other, count - 8)
        default:
            for index in 0..<count where left.start[index] != right.utf8Start[index] {
                return false
            }
            return true
        }
    }

    @inlinable
    static func word32(_ start: UnsafeRawPointer, _ offset: Int) -> UInt32 {
        start.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    }

    @inlinable
    static func word64(_ start: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
}
