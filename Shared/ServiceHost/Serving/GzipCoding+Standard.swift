import Archive
public import HTTP

extension GzipCoding {
    /// The compression of all services, by zlib. The scanner's own server compresses nothing.
    public static let standard = GzipCoding { Gzip.packed($0, level: $1) }
}
