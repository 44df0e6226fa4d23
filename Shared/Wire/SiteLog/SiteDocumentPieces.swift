import Cryptography
public import EventLog
public import Events
public import Site

/// A site's document as records of the topic `site-documents`: its bytes, cut into pieces. A piece
/// has the key `site/hash/number`, with numbers from 0. A piece is part of a document and no
/// event, so it has no headers.
public enum SiteDocumentPieces {
    /// The most bytes of a piece. With its key it fits into a record of any broker.
    public static let mostBytes = 900_000
    /// The most pieces of a document.
    public static let most = count(of: SiteLimits.documentBytes)

    /// The number of pieces of a document.
    public static func count(of byteCount: Int) -> Int { (byteCount + mostBytes - 1) / mostBytes }

    public static func key(_ site: SiteID, _ hash: String, _ number: Int) -> [UInt8] {
        Array("\(site.text)/\(hash)/\(number)".utf8)
    }

    /// The records of a document.
    public static func records(_ announced: SiteAnnounced, _ document: [UInt8]) -> [LogRecord] {
        (0..<announced.pieces).map { number in
            let start = number * mostBytes
            return record(
                announced.site, announced.hash, number,
                Array(document[start..<min(start + mostBytes, document.count)]))
        }
    }

    /// The records that remove a document from the log.
    public static func tombstones(of site: SiteID, hash: String, pieces: Int) -> [LogRecord] {
        (0..<pieces).map { record(site, hash, $0, nil) }
    }

    private static func record(
        _ site: SiteID, _ hash: String, _ number: Int, _ value: [UInt8]?
    ) -> LogRecord {
        LogRecord(topic: Topic.siteDocuments.name, key: key(site, hash, number), value: value)
    }
}

/// Puts the pieces of one document together. They may come in any order, and repeatedly.
public struct SiteDocumentAssembly: Sendable {
    public enum Fault: Error, Hashable, CustomStringConvertible {
        case otherBytes(SiteAnnounced)

        public var description: String {
            switch self {
            case .otherBytes(let announced):
                "the pieces on \(Topic.siteDocuments.name) are not the document with the SHA-256 "
                    + "\(announced.hash)"
            }
        }
    }

    public let announced: SiteAnnounced
    private let numbers: [[UInt8]: Int]
    private var bytes: [UInt8] = []
    private var missing: Set<Int>

    public init(_ announced: SiteAnnounced) {
        self.announced = announced
        missing = Set(0..<announced.pieces)
        numbers = Dictionary(
            uniqueKeysWithValues: (0..<announced.pieces).map { number in
                (SiteDocumentPieces.key(announced.site, announced.hash, number), number)
            })
    }

    public var isWhole: Bool { missing.isEmpty }
    /// The keys of the document's records.
    public var keys: some Sequence<[UInt8]> { numbers.keys }

    /// Adds a record of the topic. A record of another document changes nothing, and neither does a
    /// tombstone: the same bytes may come again behind it.
    public mutating func add(_ record: StoredRecord) {
        guard let key = record.key, let number = numbers[key], let value = record.value else {
            return
        }
        let start = number * SiteDocumentPieces.mostBytes
        let end = min(start + SiteDocumentPieces.mostBytes, announced.byteCount)
        guard value.count == end - start, missing.remove(number) != nil else { return }
        if bytes.isEmpty { bytes = [UInt8](repeating: 0, count: announced.byteCount) }
        bytes.replaceSubrange(start..<end, with: value)
    }

    /// The whole document.
    ///
    /// - Throws: `Fault`, or what is wrong with the document.
    public func published() throws -> SitePublished {
        guard isWhole, sha256Hex(bytes) == announced.hash else {
            throw Fault.otherBytes(announced)
        }
        return SitePublished(
            site: announced.site, version: announced.version, publishedAt: announced.publishedAt,
            document: try SiteDocument(json: bytes))
    }
}
