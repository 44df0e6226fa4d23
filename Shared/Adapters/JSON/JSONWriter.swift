import FaultPoints

/// Writes JSON into a buffer of its own and puts the commas between values.
///
/// It does not check the order: the caller writes names, values and ends correctly. It does check
/// for room: each call reserves its own. A caller that reserves room beforehand saves time, but
/// need not. NaN and infinities are written as null.
///
///     var writer = JSONWriter()
///     writer.beginObject()
///     writer.field("accepted", 99)
///     writer.endObject()
///     let bytes = writer.finish()
public struct JSONWriter: ~Copyable {
    /// The buffer, which the writer frees when it ends. It has `capacity` bytes, and `count` of
    /// them are written.
    @usableFromInline var start: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline var needsComma = false
    @usableFromInline var count = 0

    public init(capacity: Int = 1024) {
        self.capacity = max(64, capacity)
        start = .allocate(capacity: self.capacity)
    }

    deinit { start.deallocate() }

    /// Ends the writer and returns the bytes.
    public consuming func finish() -> [UInt8] {
        checkEnd()
        return Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// Ends the writer and returns the bytes as text.
    public consuming func finishText() -> String {
        checkEnd()
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    // MARK: Structure

    @inlinable public mutating func beginObject() { open(UInt8(ascii: "{")) }
    @inlinable public mutating func endObject() { close(UInt8(ascii: "}")) }
    @inlinable public mutating func beginArray() { open(UInt8(ascii: "[")) }
    @inlinable public mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes a member's name, which must need no escapes.
    @inlinable @inline(__always)
    public mutating func name(_ name: StaticString) {
        let length = name.utf8CodeUnitCount
        reserve(length + 4)
        if needsComma { put(UInt8(ascii: ",")) }
        put(UInt8(ascii: "\""))
        putShort(name.utf8Start, count: length)
        put(UInt8(ascii: "\""))
        put(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a member's name that is not known at compile time.
    public mutating func name(_ name: String) {
        string(name)
        if PlantedMistake.uncheckedColon.isPlanted {
            putUnchecked(UInt8(ascii: ":"))
        } else {
            put(UInt8(ascii: ":"))
        }
        needsComma = false
    }

    /// Ends a line of NDJSON. The next value begins a new document.
    public mutating func endLine() {
        put(UInt8(ascii: "\n"))
        needsComma = false
    }

    // MARK: Values

    @inlinable
    public mutating func null() { literal("null") }

    @inlinable
    public mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

    @inlinable
    public mutating func integer(_ value: some FixedWidthInteger) {
        beginValue(reserving: 24)
        if value < 0 { put(UInt8(ascii: "-")) }
        putDigits(UInt64(value.magnitude))
    }

    /// Writes JSON unchanged. The caller guarantees that it is valid.
    public mutating func raw(_ bytes: UnsafeRawBufferPointer) {
        beginValue(reserving: bytes.count)
        guard let base = bytes.baseAddress else { return }
        reserve(bytes.count)
        UnsafeMutableRawPointer(start + count).copyMemory(from: base, byteCount: bytes.count)
        count += bytes.count
    }

    @inlinable
    mutating func literal(_ text: StaticString) {
        beginValue(reserving: text.utf8CodeUnitCount)
        putShort(text.utf8Start, count: text.utf8CodeUnitCount)
    }

    // MARK: Bytes

    @inlinable
    mutating func open(_ byte: UInt8) {
        beginValue(reserving: 1)
        put(byte)
        needsComma = false
    }

    @inlinable
    mutating func close(_ byte: UInt8) {
        put(byte)
        needsComma = true
    }

    /// Writes the comma before a value and reserves room for the value.
    @inlinable
    mutating func beginValue(reserving bytes: Int) {
        reserve(bytes + 1)  // Saves that each byte asks by itself.
        if needsComma { put(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// - Parameter bytes: not negative.
    @inlinable
    mutating func reserve(_ bytes: Int) {
        if capacity &- count < bytes { grow(bytes) }
    }

    @inlinable
    mutating func put(_ byte: UInt8) {
        if count >= capacity { grow(1) }
        putUnchecked(byte)
    }

    /// Writes a byte without a check. The caller has just reserved the room.
    @inlinable
    mutating func putUnchecked(_ byte: UInt8) {
        start[count] = byte
        count &+= 1
    }

    /// Ends the process if bytes were written beyond the buffer, because other memory is damaged
    /// then.
    @usableFromInline
    func checkEnd() { precondition(count <= capacity, "JSON was written beyond its buffer") }

    @usableFromInline
    mutating func grow(_ bytes: Int) {
        checkEnd()
        let wider = max(capacity * 2, count + bytes)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: wider)
        moved.update(from: start, count: count)
        start.deallocate()
        start = moved
        capacity = wider
    }

    /// Copies bytes without a call of `memcpy` for the usual lengths of names.
    @inlinable @inline(__always)
    mutating func putShort(_ source: UnsafePointer<UInt8>, count length: Int) {
        reserve(length)
        let from = UnsafeRawPointer(source)
        let into = UnsafeMutableRawPointer(start + count)
        // Copying two words that may overlap covers any count up to twice a word's size.
        if length > 16 || length < 4 {
            into.copyMemory(from: from, byteCount: length)
        } else if length > 8 {
            into.storeBytes(of: from.loadUnaligned(as: UInt64.self), as: UInt64.self)
            into.storeBytes(
                of: from.loadUnaligned(fromByteOffset: length - 8, as: UInt64.self),
                toByteOffset: length - 8, as: UInt64.self)
        } else {
            into.storeBytes(of: from.loadUnaligned(as: UInt32.self), as: UInt32.self)
            into.storeBytes(
                of: from.loadUnaligned(fromByteOffset: length - 4, as: UInt32.self),
                toByteOffset: length - 4, as: UInt32.self)
        }
        count += length
    }

    /// Writes an integer of at most 20 digits.
    @inlinable
    mutating func putDigits(_ value: UInt64) {
        guard value < 10_000 else { return putManyDigits(value) }
        let short = UInt32(truncatingIfNeeded: value)
        let hundreds = short / 100
        if short >= 1_000 {
            putPair(hundreds)
            putPair(short &- hundreds &* 100)
        } else if short >= 100 {
            put(UInt8(truncatingIfNeeded: 0x30 &+ hundreds))
            putPair(short &- hundreds &* 100)
        } else if short >= 10 {
            putPair(short)
        } else {
            put(UInt8(truncatingIfNeeded: 0x30 &+ short))
        }
    }

    /// Writes two digits of a number below 100. There 103 / 1024 is close enough to 1 / 10.
    @inlinable @inline(__always)
    mutating func putPair(_ value: UInt32) {
        reserve(2)
        let tens = (value &* 103) &>> 10
        start[count] = UInt8(truncatingIfNeeded: 0x30 &+ tens)
        start[count &+ 1] = UInt8(truncatingIfNeeded: 0x30 &+ (value &- tens &* 10))
        count &+= 2
    }

    @usableFromInline
    mutating func putManyDigits(_ value: UInt64) {
        var digits = 5
        var rest = value / 100_000
        while rest > 0 {
            digits += 1
            rest /= 10
        }
        putDigits(value, count: digits)
    }

    /// Writes exactly this many digits, with zeros in front.
    @inlinable
    mutating func putDigits(_ value: UInt64, count digits: Int) {
        reserve(digits)
        var rest = value
        var index = count + digits - 1
        while index >= count {
            start[index] = UInt8(truncatingIfNeeded: 0x30 &+ rest % 10)
            rest /= 10
            index -= 1
        }
        count += digits
    }
}
