import Cryptography
import HTTP

/// An answer of JSON with its ETag.
func tagged(_ json: [UInt8], _ tag: EntityTag, status: Int = 200) -> HTTPResponse {
    tagged(json, tag.text, status: status)
}

/// An answer of JSON with a hash of it as its ETag, for what has neither version nor revision.
///
/// - Parameter namesPeople: no browser keeps such an answer.
func taggedByContent(_ json: [UInt8], namesPeople: Bool = false) -> HTTPResponse {
    tagged(json, "\"\(sha256Hex(json).prefix(32))\"", isKept: !namesPeople)
}

/// - Parameters:
///   - tag: with its quotation marks.
///   - isKept: whether a browser may keep it.
func tagged(
    _ json: [UInt8], _ tag: String, status: Int = 200, isKept: Bool = true
) -> HTTPResponse {
    var response = HTTPResponse.json(json, status: status)
    response.headers.append(("etag", tag))
    // To be asked for again each time, since the next edit changes it.
    response.headers.append(("cache-control", isKept ? "private, no-cache" : "no-store"))
    return response
}
