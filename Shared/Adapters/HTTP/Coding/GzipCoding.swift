import Synchronization
import Threads

/// Sends answers of text with gzip to clients that accept it (RFC 9110, sections 8.4 and 12.5.3).
///
/// Only complete answers are compressed. Streams are not: each event would wait for the next, and
/// a long export would keep a processor busy. Answers that set a cookie are not, and neither are
/// those of routes that are marked so. By the length of an answer an attacker could find a secret
/// that stands beside a text of theirs (the BREACH attack).
public struct GzipCoding: Sendable {
    /// Gives gzip's form of the bytes; nil where it is no shorter.
    ///
    /// `level` is from 1, fast, to 9, small.
    public typealias Pack = @Sendable (_ bytes: [UInt8], _ level: Int) -> [UInt8]?

    /// The setting under which nothing is compressed.
    public static let none = GzipCoding(pack: nil)

    /// A shorter answer fits into one packet with its head anyway.
    static let fewestBytes = 1_024
    /// A longer answer is sent as it is.
    static let mostBytes = 16 << 20
    /// Up to this length an answer is packed at zlib's usual level, and above it fast. zlib packs
    /// some 30 MB of JSON a second at level 6, and some 100 MB at level 1.
    private static let mostCarefulBytes = 256 << 10
    /// A longer answer is packed on a thread of its own, since the pool answers requests.
    private static let mostBytesInPool = 64 << 10
    /// The most long answers that wait for that thread; more are sent as they are.
    private static let mostWaiting = 8

    private final class Line: Sendable {
        let waiting = Atomic(0)
        let work = LongWork("compression")
    }

    private let pack: Pack?
    private let line = Line()

    public init(pack: Pack?) { self.pack = pack }

    /// The bytes of a file that is kept, as small as possible; nil where that gains nothing.
    func packedForKeeping(_ bytes: [UInt8]) -> [UInt8]? {
        bytes.count < Self.fewestBytes ? nil : pack?(bytes, 9)
    }

    /// The answer as this client gets it.
    func coded(_ answer: HTTPResponse, of route: Route, for request: HTTPRequest) async
        -> HTTPResponse
    {
        guard pack != nil, route.mayBeCompressed else { return answer }
        if answer.status == 304 { return answer.revalidatedAsCoded(for: request) }
        guard case .bytes(let bytes) = answer.body, answer.isCodable,
            (Self.fewestBytes...Self.mostBytes).contains(bytes.count)
        else { return answer }
        var answer = answer
        answer.addVaryOfCoding()
        guard request.acceptsGzip, let packed = await packed(bytes) else { return answer }
        answer.body = .bytes(packed)
        answer.markAsCoded()
        return answer
    }

    private func packed(_ bytes: [UInt8]) async -> [UInt8]? {
        guard let pack else { return nil }
        guard bytes.count > Self.mostBytesInPool else { return pack(bytes, 6) }
        let before = line.waiting.wrappingAdd(1, ordering: .relaxed).oldValue
        defer { line.waiting.wrappingSubtract(1, ordering: .relaxed) }
        guard before < Self.mostWaiting else { return nil }
        let level = bytes.count > Self.mostCarefulBytes ? 1 : 6
        // Nil where the client has left meanwhile.
        return await line.work.run { pack(bytes, level) } ?? nil
    }
}

extension HTTPResponse {
    /// The content types that gzip makes shorter. A stream of events is not among them.
    private static let codableTypes: Set<String> = [
        "application/geo+json", "application/json", "application/manifest+json",
        "application/problem+json", "application/x-ndjson", "image/svg+xml", "text/calendar",
        "text/css", "text/csv", "text/html", "text/javascript", "text/plain",
    ]

    fileprivate var isCodable: Bool {
        guard status != 206, let type = header("content-type") else { return false }
        let name = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        return Self.codableTypes.contains(name) && header("content-encoding") == nil
            && header("set-cookie") == nil
            && header("cache-control")?.contains("no-transform") != true
    }

    private func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }

    /// Names the field that the form of the answer depends on, for caches.
    mutating func addVaryOfCoding() {
        if let place = headers.firstIndex(where: { $0.name == "vary" }) {
            guard headers[place].value != "*" else { return }
            headers[place].value += ", accept-encoding"
        } else {
            headers.append(("vary", "accept-encoding"))
        }
    }

    /// Gives the answer the header fields of its gzip form.
    mutating func markAsCoded() {
        headers.append(("content-encoding", "gzip"))
        markTag()
    }

    private mutating func markTag() {
        guard let place = headers.firstIndex(where: { $0.name == "etag" }) else { return }
        headers[place].value = CodedTag.coded(headers[place].value)
    }

    /// A 304 has the tag of the form that the client has.
    fileprivate func revalidatedAsCoded(for request: HTTPRequest) -> HTTPResponse {
        guard let tag = header("etag") else { return self }
        var answer = self
        answer.addVaryOfCoding()
        let known = request.header("if-none-match") ?? ""
        if known.contains(CodedTag.coded(tag)) { answer.markTag() }
        return answer
    }
}
