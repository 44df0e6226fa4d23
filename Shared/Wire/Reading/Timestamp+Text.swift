public import Events
internal import JSON

extension Timestamp {
    /// As RFC 3339 writes it, in UTC to a millisecond or finer.
    public var text: String { RFC3339.text(microseconds: microseconds) }

    /// Nil where the text is no time of RFC 3339.
    public init?(text: String) {
        guard let microseconds = RFC3339.microseconds(text) else { return nil }
        self.init(microseconds: microseconds)
    }
}
