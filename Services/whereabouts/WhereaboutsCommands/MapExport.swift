import Archive
import JSON
import MapFormats
import ServiceRuntime
import SiteImport
import Wire

/// One run of `export` with a map: a site document as a file of another format.
struct MapExport {
    enum Format: String, CaseIterable {
        case imdf, geojson, rooms
        case accessPoints = "access-points"
    }

    private let invocation: Invocation
    private let format: Format
    private let path: String
    private let output: String
    private let base: String?

    init(_ invocation: Invocation, _ format: Format) throws(UsageFault) {
        let reader = try ArgumentReader(invocation.arguments, options: ["--output", "--base"])
        guard reader.positional.count == 2 else {
            throw UsageFault("export \(format.rawValue) takes one site document")
        }
        guard let output = reader.last("--output") else {
            throw UsageFault("export needs --output FILE")
        }
        self.invocation = invocation
        self.format = format
        path = reader.positional[1]
        self.output = output
        base = reader.last("--base")
    }

    func run() throws {
        let site = try readSite(path)
        let bytes: [UInt8]
        switch format {
        case .imdf:
            let archive = IMDFExchange.archive(
                of: site, base: try base.map { try IMDFArchive(readingFilesAt: $0) },
                created: RFC3339.text(microseconds: SystemTimeSource().nowMicroseconds))
            bytes = try ZipArchive.pack(archive.archivedFiles.map { ($0.path, $0.bytes) })
        case .geojson: bytes = GeoJSONExchange.featureCollection(of: site).json
        case .rooms: bytes = Array(RoomTable.table(of: site).text.utf8)
        case .accessPoints: bytes = Array(AccessPointTable.table(of: site).text.utf8)
        }
        try writeFile(output, bytes)
        var line = JSONWriter()
        line.beginObject()
        line.field("format", format.rawValue)
        line.field("output", output)
        line.field("bytes", bytes.count)
        line.endObject()
        invocation.output(line.finishText())
    }
}
