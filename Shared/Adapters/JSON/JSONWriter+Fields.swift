/// Writes a name and its value in one call. The calls with an optional write nothing for nil.
extension JSONWriter {
    @inlinable
    public mutating func field(_ name: StaticString, _ value: some FixedWidthInteger) {
        self.name(name)
        integer(value)
    }

    public mutating func field(_ name: StaticString, _ value: String) {
        self.name(name)
        string(value)
    }

    public mutating func field(_ name: StaticString, _ value: Double) {
        self.name(name)
        number(value)
    }

    public mutating func field(_ name: StaticString, _ value: Double, decimals: Int) {
        self.name(name)
        number(value, decimals: decimals)
    }

    public mutating func field(_ name: StaticString, _ value: Bool) {
        self.name(name)
        bool(value)
    }

    @inlinable
    public mutating func field(_ name: StaticString, _ value: (some FixedWidthInteger)?) {
        if let value { field(name, value) }
    }

    public mutating func field(_ name: StaticString, _ value: String?) {
        if let value { field(name, value) }
    }

    public mutating func field(_ name: StaticString, _ value: Double?) {
        if let value { field(name, value) }
    }

    public mutating func field(_ name: StaticString, _ value: Double?, decimals: Int) {
        if let value { field(name, value, decimals: decimals) }
    }

    /// Writes a time as RFC 3339 in UTC with milliseconds.
    public mutating func field(_ name: StaticString, microseconds: Int64?) {
        guard let microseconds else { return }
        self.name(name)
        time(microseconds: microseconds)
    }
}
