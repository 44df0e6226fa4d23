/// The part of a file that a request asks for: one range of bytes (RFC 9110, section 14).
public enum ByteRange: Hashable, Sendable {
    /// No range, several of them, or another unit. The whole file is sent, as the RFC allows.
    case whole
    case part(Range<Int>)
    /// The range lies outside the file.
    case unsatisfiable

    /// - Parameters:
    ///   - field: the header field `Range`.
    ///   - count: the file's length in bytes.
    public init(_ field: String?, of count: Int) {
        guard let field, let match = field.wholeMatch(of: /\s*bytes\s*=\s*([0-9]*)-([0-9]*)\s*/)
        else {
            self = .whole
            return
        }
        switch (Int(match.1), Int(match.2)) {
        case (let first?, let last?):
            guard first <= last else {
                self = .whole
                return
            }
            self = first < count ? .part(first..<Swift.min(last, count - 1) + 1) : .unsatisfiable
        case (let first?, nil):
            // A number too long for `Int` is past the end of the file.
            self = first < count ? .part(first..<count) : .unsatisfiable
        case (nil, let suffix?):
            self =
                suffix > 0 && count > 0
                ? .part(Swift.max(0, count - suffix)..<count) : .unsatisfiable
        case (nil, nil):
            self = match.1.isEmpty && match.2.isEmpty ? .whole : .unsatisfiable
        }
    }
}
