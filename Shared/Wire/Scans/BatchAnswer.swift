internal import JSON

/// The answer to the scans of one request.
public struct BatchAnswer: Sendable {
    public struct Rejection: Sendable {
        /// The index in the body, counted from 0.
        public var index: Int
        public var code: String
        public var detail: String

        public init(index: Int, code: String, detail: String) {
            self.index = index
            self.code = code
            self.detail = detail
        }
    }

    public var acceptedCount: Int
    public var rejections: [Rejection]
    /// Advice for the person behind the sender; nil for none.
    public var notice: Notice?

    public struct Notice: Sendable {
        /// A stable code, such as `access-point-rules-missing`.
        public var code: String
        public var detail: String

        public init(code: String, detail: String) {
            self.code = code
            self.detail = detail
        }
    }

    public init(acceptedCount: Int, rejections: [Rejection], notice: Notice? = nil) {
        self.acceptedCount = acceptedCount
        self.rejections = rejections
        self.notice = notice
    }

    /// - Parameter status: the status of a request with no accepted scan; nil for any other.
    public func json(status: Int? = nil) -> [UInt8] {
        var writer = JSONWriter(capacity: 128 + rejections.count * 128)
        writer.beginObject()
        if let status, let first = rejections.first {
            writer.field("type", "urn:whereabouts:problem:\(first.code)")
            writer.field("status", status)
            writer.field("code", first.code)
            writer.field("detail", first.detail)
        }
        writer.field("accepted", acceptedCount)
        writer.name("rejected")
        writer.beginArray()
        for rejection in rejections {
            writer.beginObject()
            writer.field("index", rejection.index)
            writer.field("code", rejection.code)
            writer.field("detail", rejection.detail)
            writer.endObject()
        }
        writer.endArray()
        if let notice {
            writer.name("notice")
            writer.beginObject()
            writer.field("code", notice.code)
            writer.field("detail", notice.detail)
            writer.endObject()
        }
        writer.endObject()
        return writer.finish()
    }
}
