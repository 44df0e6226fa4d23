extension JSONWriter {
    /// A moment as RFC 3339 in UTC with milliseconds, such as "2026-11-21T08:00:00.000Z"; what is
    /// finer is cut off. Moments outside the years 0 to 9999 are written as the nearest inside.
    ///
    /// - Parameter microseconds: UTC, since 1970.
    public mutating func time(microseconds: Int64) {
        string(asciiCount: RFC3339.byteCount) { RFC3339.write(microseconds, to: $0) }
    }
}
