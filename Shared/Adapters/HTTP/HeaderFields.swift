import CMicrohttpd
import Glibc

/// The header fields of one request in one block of bytes, `name NUL value NUL ...`, names in lower
/// case.
///
/// Most handlers look at one field or none, so nothing is decoded before it is asked for: a
/// dictionary of ten strings would cost more than the rest of a small request.
struct HeaderFields: Sendable {
    private var packed: [UInt8] = []

    init() {}

    init(_ fields: [String: String]) {
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            packed += name.lowercased().utf8
            packed.append(0)
            // NUL ends a value; none can come over a socket.
            packed += value.utf8.prefix { $0 != 0 }
            packed.append(0)
        }
    }

    /// Copies the fields of a request, which libmicrohttpd keeps only while it is being handled.
    init(of handle: OpaquePointer) {
        packed = [UInt8](unsafeUninitializedCapacity: requestHeadBytes(handle)) { buffer, count in
            var writer = FieldWriter(buffer: buffer)
            MHD_get_connection_values(handle, .HEADER_KIND, collectField, &writer)
            count = writer.count
        }
    }

    /// The first field of this name, which is given in lower case.
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

    /// A field that came more than once is joined with commas (RFC 9110, section 5.3).
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

private struct FieldWriter {
    let buffer: UnsafeMutableBufferPointer<UInt8>
    var count = 0

    mutating func append(_ text: UnsafePointer<CChar>, isName: Bool) -> Bool {
        let length = strlen(text)
        guard let base = buffer.baseAddress, count + length < buffer.count else { return false }
        let start = base + count
        memcpy(start, text, length)
        if isName {
            for index in 0..<length where start[index] >= 0x41 && start[index] <= 0x5A {
                start[index] |= 0x20
            }
        }
        start[length] = 0
        count += length + 1
        return true
    }
}

/// Stops, and leaves the field out, where there is no room, which cannot be: the head held it.
private func collectField(
    _ context: UnsafeMutableRawPointer?, _: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
    _ value: UnsafePointer<CChar>?
) -> MHD_Result {
    guard let writer = context?.assumingMemoryBound(to: FieldWriter.self), let name, let value
    else { return .YES }
    let start = writer.pointee.count
    if writer.pointee.append(name, isName: true), writer.pointee.append(value, isName: false) {
        return .YES
    }
    writer.pointee.count = start
    return .NO
}
