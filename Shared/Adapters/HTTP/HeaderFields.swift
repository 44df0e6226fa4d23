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
            append(name: name.utf8, value: value.utf8)
        }
    }

    /// NUL cannot come in a field: libmicrohttpd hands them over as C strings.
    mutating func append(name: some Sequence<UInt8>, value: some Sequence<UInt8>) {
        if packed.isEmpty { packed.reserveCapacity(512) }
        for byte in name { packed.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) }
        packed.append(0)
        packed.append(contentsOf: value)
        packed.append(0)
    }

    /// The first field of this name, which is given in lower case.
    func first(_ name: String) -> String? {
        packed.withUnsafeBufferPointer { bytes in
            var found: String?
            Self.scan(bytes) { fieldName, value in
                guard fieldName.count == name.utf8.count, fieldName.elementsEqual(name.utf8) else {
                    return true
                }
                found = String(decoding: value, as: UTF8.self)
                return false
            }
            return found
        }
    }

    /// A field that came more than once is joined with commas (RFC 9110, section 5.3).
    var dictionary: [String: String] {
        packed.withUnsafeBufferPointer { bytes in
            var fields: [String: String] = [:]
            Self.scan(bytes) { name, value in
                let text = String(decoding: value, as: UTF8.self)
                fields[String(decoding: name, as: UTF8.self), default: ""] +=
                    fields[String(decoding: name, as: UTF8.self)] == nil ? text : ", " + text
                return true
            }
            return fields
        }
    }

    /// Calls `visit` with each field until it returns false.
    private static func scan(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ visit: (Slice<UnsafeBufferPointer<UInt8>>, Slice<UnsafeBufferPointer<UInt8>>) -> Bool
    ) {
        var start = 0
        while start < bytes.count {
            guard let nameEnd = bytes[start...].firstIndex(of: 0),
                let valueEnd = bytes[(nameEnd + 1)...].firstIndex(of: 0)
            else { return }
            guard visit(bytes[start..<nameEnd], bytes[(nameEnd + 1)..<valueEnd]) else { return }
            start = valueEnd + 1
        }
    }
}
