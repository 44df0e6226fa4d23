import CMicrohttpd
import Glibc

/// The header fields of one request in one block of bytes, `name NUL value NUL ...`, with
/// lower-case names.
///
/// Most handlers read one field or none, so fields are decoded only on request. A dictionary of ten
/// strings would cost more than the rest of a small request.
struct HeaderFields: Sendable {
    private var packed: [UInt8] = []

    init() {}

    init(_ fields: [String: String]) {
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            packed += name.lowercased().utf8
            packed.append(0)
            // NUL ends a value here. A value from a socket never contains one.
            packed += value.utf8.prefix { $0 != 0 }
            packed.append(0)
        }
    }

    /// Copies the request's fields, because libmicrohttpd keeps them only for a short time. It also
    /// reads the fields that tell where the request ends.
    static func read(_ handle: OpaquePointer) -> (HeaderFields, HeadShape) {
        var fields = HeaderFields()
        var shape = HeadShape()
        fields.packed = [UInt8](
            unsafeUninitializedCapacity: requestHeadBytes(handle)
        ) { buffer, count in
            var writer = FieldWriter(buffer: buffer)
            MHD_get_connection_values(handle, .HEADER_KIND, collectField, &writer)
            count = writer.count
            shape = writer.shape
        }
        return (fields, shape)
    }

    /// All fields of this name in their order. The name must be in lower case.
    func all(_ name: String) -> [String] {
        var found: [String] = []
        scan { fieldName, value in
            if fieldName.elementsEqual(name.utf8) {
                found.append(String(decoding: value, as: UTF8.self))
            }
            return true
        }
        return found
    }

    /// The first field of this name. The name must be in lower case.
    func first(_ name: String) -> String? {
        withFirst(name) { String(decoding: $0, as: UTF8.self) }
    }

    /// Calls `body` with the value of the first field of this name, if there is one.
    func withFirst<Value>(_ name: String, _ body: (UnsafeRawBufferPointer) -> Value) -> Value? {
        var name = name
        return name.withUTF8 { wanted in
            var found: Value?
            scan { fieldName, value in
                guard fieldName.count == wanted.count, let sent = fieldName.baseAddress,
                    let start = wanted.baseAddress, memcmp(sent, start, wanted.count) == 0
                else { return true }
                found = body(value)
                return false
            }
            return found
        }
    }

    /// All fields by name. Values of a repeated field are joined with commas (RFC 9110, section
    /// 5.3).
    var dictionary: [String: String] {
        var fields: [String: String] = [:]
        scan { name, value in
            let name = String(decoding: name, as: UTF8.self)
            let value = String(decoding: value, as: UTF8.self)
            fields[name] = fields[name].map { $0 + ", " + value } ?? value
            return true
        }
        return fields
    }

    /// Replaces the values of all fields of this name. The name must be in lower case.
    mutating func change(_ name: String, _ value: (String) -> String) {
        var changed: [UInt8] = []
        scan { fieldName, old in
            changed += fieldName
            changed.append(0)
            let isWanted = fieldName.elementsEqual(name.utf8)
            let text = String(decoding: old, as: UTF8.self)
            changed += isWanted ? Array(value(text).utf8) : Array(old)
            changed.append(0)
            return true
        }
        packed = changed
    }

    /// Calls `visit` with each field until it returns false.
    private func scan(_ visit: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool) {
        packed.withUnsafeBytes { bytes in
            guard var at = bytes.baseAddress else { return }
            let end = at + bytes.count
            while at < end {
                let name = UnsafeRawBufferPointer(start: at, count: strlen(at))
                let start = at + name.count + 1
                let value = UnsafeRawBufferPointer(start: start, count: strlen(start))
                guard visit(name, value) else { return }
                at = start + value.count + 1
            }
        }
    }

    private func strlen(_ text: UnsafeRawPointer) -> Int {
        Glibc.strlen(text.assumingMemoryBound(to: CChar.self))
    }
}

/// The header fields that tell where the request ends (RFC 9112, sections 3.2 and 6.3).
struct HeadShape {
    var hosts = 0
    var lengths = 0
    /// The value of Content-Length, or 0 if it is not a number.
    var declaredBytes = 0
    var isChunked = false
    /// Whether the request has a Content-Encoding.
    var isEncoded = false
    var hasMalformedName = false

    /// The problem with these fields, if any. The server never guesses, because a proxy in front of
    /// it may have guessed differently.
    func fault(isHTTP11: Bool) -> Problem? {
        let isWhole =
            !hasMalformedName && lengths <= 1 && !(lengths > 0 && isChunked)
            && hosts <= 1 && (hosts == 1 || !isHTTP11)
        return isWhole ? nil : .headMalformed
    }

    mutating func note(name: UnsafeBufferPointer<UInt8>, value: UnsafePointer<CChar>) {
        func isNamed(_ wanted: StaticString) -> Bool {
            guard name.count == wanted.utf8CodeUnitCount, let start = name.baseAddress else {
                return false
            }
            return memcmp(start, wanted.utf8Start, name.count) == 0
        }
        switch name.count {
        case 4 where isNamed("host"): hosts += 1
        case 14 where isNamed("content-length"):
            lengths += 1
            declaredBytes = Self.number(value)
        case 16 where isNamed("content-encoding"):
            isEncoded = strlen(value) > 0 && strcasecmp(value, "identity") != 0
        case 17 where isNamed("transfer-encoding"): isChunked = true
        default: break
        }
    }

    private static func number(_ text: UnsafePointer<CChar>) -> Int {
        var number = 0
        var at = text
        while at.pointee != 0 {
            let digit = Int(at.pointee) - 0x30
            guard (0...9).contains(digit), number < Int.max / 16 else { return 0 }
            number = number * 10 + digit
            at += 1
        }
        return number
    }
}

private struct FieldWriter {
    let buffer: UnsafeMutableBufferPointer<UInt8>
    var count = 0
    var shape = HeadShape()

    mutating func append(_ text: UnsafePointer<CChar>, isName: Bool) -> Bool {
        let length = strlen(text)
        guard let base = buffer.baseAddress, count + length < buffer.count else { return false }
        let start = base + count
        memcpy(start, text, length)
        if isName {
            for index in 0..<length {
                let byte = start[index]
                if byte >= 0x41 && byte <= 0x5A { start[index] = byte | 0x20 }
                if byte <= 0x20 { shape.hasMalformedName = true }
            }
        }
        start[length] = 0
        count += length + 1
        return true
    }
}

/// Adds a field to the block. If there is no room it stops, but that can't happen: the head held
/// it.
private func collectField(
    _ context: UnsafeMutableRawPointer?, _: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
    _ value: UnsafePointer<CChar>?
) -> MHD_Result {
    guard let writer = context?.assumingMemoryBound(to: FieldWriter.self), let name, let value
    else { return .YES }
    let start = writer.pointee.count
    if writer.pointee.append(name, isName: true) {
        let written = UnsafeBufferPointer(
            rebasing: UnsafeBufferPointer(writer.pointee.buffer)[
                start..<(writer.pointee.count - 1)])
        writer.pointee.shape.note(name: written, value: value)
        if writer.pointee.append(value, isName: false) { return .YES }
    }
    writer.pointee.count = start
    return .NO
}
