import Cryptography
public import Events
public import Positioning

/// A part of a radio map as bytes: what fingerprint-builder keeps and serves under their hash.
///
///     6   "WRPRT1"           the format and its version
///     4   reserved, 0
///     list of scanners       as texts in `RadioMapArtifact`
///     list of times          64-bit microseconds since 1970, one for each fingerprint
///     the rest               the part's own map, as `RadioMapArtifact` writes it
public enum RadioMapPartArtifact {
    static let magic = Array("WRPRT1".utf8)

    public static func encode(_ part: RadioMapPart) -> [UInt8] {
        var writer = BinaryWriter()
        writer.write(raw: magic)
        writer.write(UInt32(0))
        writer.write(UInt32(part.scanners.count))
        for scanner in part.scanners { writer.write(scanner.text) }
        writer.write(UInt32(part.times.count))
        writer.write(column: part.times.map(\.microseconds))
        writer.write(raw: RadioMapArtifact.encode(part.map))
        return writer.bytes
    }

    /// Reads a part and checks every value, so that positioners can rely on a map of such parts.
    public static func decode(_ bytes: [UInt8]) throws(BinaryFault) -> RadioMapPart {
        var reader = BinaryReader(bytes)
        let magic = Array(try reader.readRaw(Self.magic.count))
        guard magic.dropLast().elementsEqual(Self.magic.dropLast()) else { throw .notThisFormat }
        guard magic == Self.magic else { throw .unknownVersion(magic[magic.count - 1]) }
        guard try reader.read(UInt32.self) == 0 else { throw .notThisFormat }
        var part = RadioMapPart.empty
        for _ in 0..<(try reader.readCount(bytesEach: 3)) {
            guard let scanner = ScannerID(validating: try reader.readText()) else {
                throw .malformedIdentifier
            }
            part.scanners.append(scanner)
        }
        let count = try reader.readCount(bytesEach: 8)
        part.times = try reader.readColumn(Int64.self, count: count).map {
            Timestamp(microseconds: $0)
        }
        part.map = try RadioMapArtifact.decode(Array(try reader.readRaw(reader.left)))
        if let fault = part.fault { throw .inconsistent(fault) }
        return part
    }

    /// The part that an announcement names, checked against its hash.
    public static func decode(
        _ bytes: [UInt8], of announced: RadioMapAnnounced.Part
    ) throws(RadioMapFault) -> RadioMapPart {
        guard sha256Hex(bytes) == announced.hash else { throw .otherBytes }
        do throws(BinaryFault) { return try decode(bytes) } catch { throw .unreadable(error) }
    }
}

extension RadioMap {
    /// The announced map, of its parts. It is checked against the hash of the whole.
    public init(
        joining parts: [RadioMapPart], of announcement: RadioMapAnnounced
    ) throws(RadioMapFault) {
        self.init(joining: parts)
        guard sha256Hex(RadioMapArtifact.encode(self)) == announcement.hash else {
            throw .otherBytes
        }
    }
}
