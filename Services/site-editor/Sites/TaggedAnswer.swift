import Cryptography
import HTTP

/// - Parameter mark: added to the tag where the caller does not see everything.
func tagged(
    _ json: [UInt8], _ tag: EntityTag, mark: String = "", status: Int = 200
) -> HTTPResponse {
    tagged(json, tag.text(mark: mark), status: status)
}

/// An answer of JSON with a hash of itself as its ETag, for data without a version or revision.
///
/// - Parameter namesPeople: true for answers about people, which no browser may keep.
func taggedByContent(_ json: [UInt8], namesPeople: Bool = false) -> HTTPResponse {
    tagged(json, "\"\(sha256Hex(json).prefix(32))\"", isKept: !namesPeople)
}

/// - Parameters:
///   - tag: the ETag with its quotation marks.
///   - isKept: whether a browser may keep the answer.
func tagged(
    _ json: [UInt8], _ tag: String, status: Int = 200, isKept: Bool = true
) -> HTTPResponse {
    var response = HTTPResponse.json(json, status: status)
    response.headers.append(("etag", tag))
    // Browsers must ask again each time, since the next edit changes the answer.
    response.headers.append(("cache-control", isKept ? "private, no-cache" : "no-store"))
    // Readers see different parts of a site.
    response.headers.append(("vary", "authorization, cookie"))
    return response
}
