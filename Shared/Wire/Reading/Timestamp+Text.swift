public import Events
internal import JSON

extension Timestamp {
    /// RFC 3339 in UTC, to a millisecond or finer.
    public var text: String { RFC3339.text(microseconds: microseconds) }

    /// Nil where the text is not an RFC 3339 time.
    public init?(text: String) {
        guard let microseconds = RFC3339.microseconds(text) else { return nil }
        self.init(microseconds: microseconds)
    }
}
