/// A file that never changes while the process runs. It is compressed once, and answered from
/// memory.
public struct FileAnswer: Sendable {
    private let unchanged: HTTPResponse
    private let plain: HTTPResponse
    private let packed: HTTPResponse?

    /// - Parameters:
    ///   - headers: the content type, and other fields of every answer.
    ///   - tag: a hash of the bytes, without quotation marks. Clients ask again with it.
    public init(
        _ bytes: [UInt8], headers: [(name: String, value: String)], tag: String,
        coding: GzipCoding
    ) {
        var answer = HTTPResponse(
            headers: headers + [("etag", "\"\(tag)\"")], body: .bytes(bytes))
        answer.addVaryOfCoding()
        plain = answer.madeReady()
        unchanged = HTTPResponse(
            status: 304,
            headers: answer.headers.filter { ["etag", "cache-control", "vary"].contains($0.name) })
        packed = coding.packedForKeeping(bytes).map { bytes in
            var answer = answer
            answer.body = .bytes(bytes)
            answer.markAsCoded()
            return answer.madeReady()
        }
    }

    /// The file, in the form that the client accepts; 304 if the client has it already.
    public func answer(to request: HTTPRequest) -> HTTPResponse {
        let answer = request.acceptsGzip ? packed ?? plain : plain
        guard let tag = answer.headers.first(where: { $0.name == "etag" }),
            request.knows(tag.value)
        else { return answer }
        var unchanged = unchanged
        unchanged.headers = unchanged.headers.map { $0.name == "etag" ? tag : $0 }
        return unchanged
    }
}
