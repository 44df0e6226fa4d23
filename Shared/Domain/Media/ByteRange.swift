/// The part of a file that a request asks for: one range of bytes of RFC 9110, 14.
public enum ByteRange: Hashable, Sendable {
    /// No range, several of them, or another unit: the whole is sent, as the RFC allows.
    case whole
    case part(Range<Int>)
    /// Nothing of the file lies within.
    case unsatisfiable

    /// - Parameters:
    ///   - field: the header field `Range`.
    ///   - count: bytes of the file.
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
            // A last byte that is too long a number is past the end.
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
