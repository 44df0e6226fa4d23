extension JSONWriter {
    /// Writes a time as RFC 3339 in UTC with milliseconds, such as "2026-11-21T08:00:00.000Z".
    /// Finer digits are cut off. Times outside the years 0 to 9999 become the nearest time inside.
    ///
    /// - Parameter microseconds: since 1970, UTC.
    public mutating func time(microseconds: Int64) {
        string(asciiCount: RFC3339.byteCount) { RFC3339.write(microseconds, to: $0) }
    }
}
