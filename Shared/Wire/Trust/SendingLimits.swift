internal import JSON

/// The limits of a caller, and how much of them is left.
public struct SendingLimits: Sendable {
    /// An allowance that refills evenly.
    public struct Allowance: Sendable {
        public var perSecond: Double
        public var burst: Double
        public var left: Int?

        public init(perSecond: Double, burst: Double, left: Int?) {
            self.perSecond = perSecond
            self.burst = burst
            self.left = left
        }
    }

    /// 0 for no limit.
    public var requestsPerSecond: Int
    public var requestBurst: Int
    public var records: Allowance?
    public var bytes: Allowance?

    public init(
        requestsPerSecond: Int, requestBurst: Int, records: Allowance?, bytes: Allowance?
    ) {
        self.requestsPerSecond = requestsPerSecond
        self.requestBurst = requestBurst
        self.records = records
        self.bytes = bytes
    }

    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("requests")
        writer.beginObject()
        writer.field("perSecond", requestsPerSecond == 0 ? nil : requestsPerSecond)
        writer.field("burst", requestBurst)
        writer.endObject()
        Self.write("records", records, to: &writer)
        Self.write("bytes", bytes, to: &writer)
        writer.endObject()
        return writer.finish()
    }

    private static func write(
        _ name: StaticString, _ allowance: Allowance?, to writer: inout JSONWriter
    ) {
        guard let allowance else { return }
        writer.name(name)
        writer.beginObject()
        writer.field("perSecond", allowance.perSecond)
        writer.field("burst", Int(allowance.burst))
        writer.field("left", allowance.left)
        writer.endObject()
    }
}
