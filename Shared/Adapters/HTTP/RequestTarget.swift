/// The target of a request line: the decoded path and the decoded query.
struct RequestTarget: Sendable {
    /// The limit of a target's length. A longer one is refused.
    static let maximumBytes = 6_000
    /// The limit for query parameters. More are refused.
    static let maximumQueryParameters = 64

    var path: String
    var query: [(name: String, value: String)] = []

    /// Decodes a raw request target. It refuses a path or query that is not UTF-8 or contains NUL.
    /// It also refuses an encoded slash, because that would look like a separator.
    init(_ raw: UnsafeBufferPointer<UInt8>) throws(Problem) {
        guard raw.count <= Self.maximumBytes else {
            throw Problem(
                .targetTooLong,
                "The path and the query may have at most \(Self.maximumBytes) bytes.")
        }
        let end = raw.firstIndex(of: UInt8(ascii: "?")) ?? raw.count
        guard raw.first == UInt8(ascii: "/"),
            let path = Self.decode(raw[..<end], plusIsSpace: false, mayHoldSlash: false)
        else {
            throw Problem(
                .pathMalformed,
                "The path must start with / and decode to UTF-8 without NUL or encoded slashes.")
        }
        self.path = path
        if end < raw.count { query = try Self.decodeQuery(raw[(end + 1)...]) }
    }

    private static func decodeQuery(
        _ raw: Slice<UnsafeBufferPointer<UInt8>>
    ) throws(Problem) -> [(name: String, value: String)] {
        let parts = raw.split(separator: UInt8(ascii: "&"), maxSplits: maximumQueryParameters)
        guard parts.count <= maximumQueryParameters else {
            throw Problem(
                .queryMalformed,
                "A query may have at most \(maximumQueryParameters) parameters.")
        }
        var query: [(name: String, value: String)] = []
        query.reserveCapacity(parts.count)
        for part in parts {
            let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let after = end < part.endIndex ? end + 1 : end
            guard let name = decode(part[..<end], plusIsSpace: true, mayHoldSlash: true),
                let value = decode(part[after...], plusIsSpace: true, mayHoldSlash: true)
            else {
                throw Problem(
                    .queryMalformed, "The query must decode to UTF-8 without NUL.")
            }
            query.append((name, value))
        }
        return query
    }

    private static func decode(
        _ raw: Slice<UnsafeBufferPointer<UInt8>>, plusIsSpace: Bool, mayHoldSlash: Bool
    ) -> String? {
        let isPlain = raw.allSatisfy {
            $0 < 0x80 && $0 != 0 && $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: "+")
        }
        if isPlain { return String(decoding: raw, as: UTF8.self) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        var index = raw.startIndex
        while index < raw.endIndex {
            var byte = raw[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                guard index + 1 < raw.endIndex, let high = digit(raw[index]),
                    let low = digit(raw[index + 1])
                else { return nil }
                byte = high << 4 | low
                index += 2
                if byte == UInt8(ascii: "/"), !mayHoldSlash { return nil }
            } else if byte == UInt8(ascii: "+"), plusIsSpace {
                byte = UInt8(ascii: " ")
            }
            if byte == 0 { return nil }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
