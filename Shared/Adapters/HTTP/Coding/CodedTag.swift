/// The ETags of answers in their gzip form.
///
/// A strong ETag stands for the very bytes, so the two forms of an answer need different ones
/// (RFC 9110, section 8.8.3.3). The gzip form's has a mark at its end. Handlers never see the mark,
/// so a client may send either tag back, also with a change (`If-Match`).
enum CodedTag {
    private static let end = ".gzip\""

    /// The tag of the gzip form. A weak tag stands for both forms.
    static func coded(_ tag: String) -> String {
        guard tag.hasPrefix("\""), tag.count > 1, tag.hasSuffix("\"") else { return tag }
        return tag.dropLast() + end
    }

    /// The tags without the mark.
    static func plain(_ tags: String) -> String { tags.replacing(end, with: "\"") }

    /// The fields whose tags stand for the data in either form. `If-Range` keeps its mark, since a
    /// part of the plain form must not continue a packed one.
    private static let fields = ["if-match", "if-none-match"]

    /// The request as handlers see it.
    static func plain(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        for name in fields where request.header(name)?.contains(end) == true {
            request.fields.change(name, plain)
        }
        return request
    }
}

extension HTTPRequest {
    /// Whether the client accepts gzip, by its own name or as any coding (RFC 9110, 12.5.3).
    var acceptsGzip: Bool {
        var acceptsAny = false
        for part in fields.all("accept-encoding").flatMap({ $0.split(separator: ",") }) {
            let words = part.split(separator: ";").map { word in
                word.filter { !$0.isWhitespace }.lowercased()
            }
            let weight = words.dropFirst().first { $0.hasPrefix("q=") }.map { $0.dropFirst(2) }
            // The name counts even when its weight is malformed.
            let isWanted = weight.flatMap { Double($0) }.map { $0 > 0 } ?? true
            switch words.first {
            case "gzip", "x-gzip": return isWanted
            case "*": acceptsAny = isWanted
            default: break
            }
        }
        return acceptsAny
    }
}
