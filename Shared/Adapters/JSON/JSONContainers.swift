/// An object of a document. Its members keep the order of the text.
public struct JSONObject: Sequence {
    public struct Member {
        public let name: JSONText
        public let value: JSONValue

        @inlinable
        init(name: JSONText, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    public struct Iterator: IteratorProtocol {
        @usableFromInline var place: JSONValue
        @usableFromInline let end: Int

        @inlinable
        init(_ value: JSONValue) {
            place = JSONValue(tape: value.tape, strings: value.strings, index: value.index + 1)
            end = value.end - 1
        }

        @inlinable
        public mutating func next() -> Member? {
            guard place.index < end, let name = place.text else { return nil }
            let value = JSONValue(tape: place.tape, strings: place.strings, index: place.index + 1)
            place = JSONValue(tape: place.tape, strings: place.strings, index: value.end)
            return Member(name: name, value: value)
        }
    }

    @usableFromInline let value: JSONValue

    @inlinable
    init(value: JSONValue) { self.value = value }

    @inlinable public func makeIterator() -> Iterator { Iterator(value) }

    /// The number of members, repeated names included. At most 16,777,215 are counted.
    @inlinable public var count: Int { Int(truncatingIfNeeded: value.word >> 32 & 0xFF_FFFF) }

    /// The last value under this name. It searches all members, so read large objects by iterating.
    @inlinable
    public subscript(name: StaticString) -> JSONValue? {
        var found: JSONValue?
        for member in self where member.name == name { found = member.value }
        return found
    }
}

/// An array of a document.
public struct JSONArray: Sequence {
    public struct Iterator: IteratorProtocol {
        @usableFromInline var place: JSONValue
        @usableFromInline let end: Int

        @inlinable
        init(_ value: JSONValue) {
            place = JSONValue(tape: value.tape, strings: value.strings, index: value.index + 1)
            end = value.end - 1
        }

        @inlinable
        public mutating func next() -> JSONValue? {
            guard place.index < end else { return nil }
            let value = place
            place = JSONValue(tape: place.tape, strings: place.strings, index: value.end)
            return value
        }
    }

    @usableFromInline let value: JSONValue

    @inlinable
    init(value: JSONValue) { self.value = value }

    @inlinable public func makeIterator() -> Iterator { Iterator(value) }

    /// The number of elements. At most 16,777,215 are counted.
    @inlinable public var count: Int { Int(truncatingIfNeeded: value.word >> 32 & 0xFF_FFFF) }
}
