import Glibc
import SiteExchange

extension MapFormat {
    /// The word by which commands and requests ask for recognition.
    public static let recognised = "auto"

    /// The format of a file, by what is in it.
    ///
    /// - Throws: a word about another file, and where it belongs.
    public static func recognising(_ file: MapFile) throws -> MapFormat {
        let head = try file.head()
        if head.starts(with: [0x1f, 0x8b]) { return openStreetMap }
        if head.starts(with: Array("PK".utf8)) || file.isFolder { return imdf }
        if head.dropFirst(4).starts(with: Array("\n\tOSMHeader".utf8)) { return openStreetMap }
        let text = String(decoding: head, as: UTF8.self)
        let start = text.drop { $0.isWhitespace || $0 == "\u{feff}" }
        switch start.first {
        case "<":
            if start.contains("<osm") { return openStreetMap }
            throw ImportRefusal(
                .malformed, "the file is XML, but no OpenStreetMap; a picture is uploaded as a plan"
            )
        case "{", "[": return try recognisingJSON(file, start)
        default: break
        }
        if isDrawing(head, start) { return drawing }
        if start.lowercased().hasPrefix("ncols") { return heights }
        let pictures = ["%PDF", "\u{89}PNG", "GIF8", "\u{ff}\u{d8}"].map {
            Array($0.unicodeScalars)
        }
        let bytes = head.prefix(4).map { Unicode.Scalar($0) }
        if pictures.contains(where: { bytes.starts(with: $0) }) {
            throw ImportRefusal(.malformed, "the file is a picture: upload it as a floor's plan")
        }
        let table = try DelimitedTable(readableOf: file.content())
        guard table.header.count > 1 else {
            throw ImportRefusal(
                .malformed,
                "nobody can tell what the file is: it is no map, drawing or table of a known kind")
        }
        switch try? SiteTable(header: table.header) {
        case .rooms: return rooms
        case .accessPoints: return accessPoints
        case .connections where table.header.contains("id"): return connections
        case .connections, nil: return roomList
        }
    }

    private static func recognisingJSON(_ file: MapFile, _ start: Substring) throws -> MapFormat {
        let text = String(decoding: try file.content(), as: UTF8.self)
        if text.contains("\"Feature") { return geojson }
        if text.contains("\"originLatitude\"") {
            throw ImportRefusal(
                .malformed, "the file is a site document: `whereabouts publish` publishes it")
        }
        return beacons
    }

    private static func isDrawing(_ head: ArraySlice<UInt8>, _ start: Substring) -> Bool {
        if head.starts(with: Array("AutoCAD Binary DXF".utf8))
            || head.starts(with: Array("AC10".utf8))
        {
            return true
        }
        let lines = start.split(maxSplits: 2, whereSeparator: \.isNewline)
            .map { $0.filter { !$0.isWhitespace } }
        guard lines.count > 1 else { return false }
        return lines[0] == "999" || lines[0] == "0" && lines[1] == "SECTION"
    }
}

extension MapFile {
    private static let headBytes = 4_096

    fileprivate var isFolder: Bool {
        guard case .path(let path) = self, let folder = opendir(path) else { return false }
        closedir(folder)
        return true
    }

    /// The first bytes; those of the unpacked file, if it is gzipped on disk.
    fileprivate func head() throws -> ArraySlice<UInt8> {
        switch self {
        case .bytes(let bytes): return bytes.prefix(Self.headBytes)
        case .path(let path):
            guard !isFolder, let file = fopen(path, "rb") else { return [] }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: Self.headBytes)
            bytes.removeLast(Self.headBytes - fread(&bytes, 1, Self.headBytes, file))
            let isGzipped = bytes.starts(with: [0x1f, 0x8b])
            return isGzipped ? try content().prefix(Self.headBytes) : bytes[...]
        }
    }
}
