import Archive
import Events
import HTTPClient
import JSON
import MapFormats
import ServiceRuntime
import Site
import SiteExchange
import Wire

/// One run of `export` with a map: a site document, or a site that is published, as a file.
struct MapExport {
    enum Format: String, CaseIterable {
        case imdf, geojson, rooms
        case accessPoints = "access-points"
        /// The site document as it is.
        case site
    }

    private enum Source {
        case document(path: String)
        case published(SiteID)
    }

    private let invocation: Invocation
    private let format: Format
    private let source: Source
    private let output: String
    private let base: String?

    init(_ invocation: Invocation, _ format: Format) throws(UsageFault) {
        let reader = try ArgumentReader(
            invocation.arguments, options: ["--site", "--output", "--base"])
        self.invocation = invocation
        self.format = format
        switch (reader.positional.count, try reader.site("--site")) {
        case (2, nil) where format != .site: source = .document(path: reader.positional[1])
        case (1, let site?): source = .published(site)
        case _ where format == .site: throw UsageFault("export site takes --site ID")
        default:
            throw UsageFault("export \(format.rawValue) takes one site document, or --site ID")
        }
        guard let output = reader.last("--output") else {
            throw UsageFault("export needs --output FILE")
        }
        self.output = output
        base = reader.last("--base")
        guard base == nil || format == .imdf else {
            throw UsageFault("--base is for imdf, not for \(format.rawValue)")
        }
    }

    func run() async throws {
        let bytes = try await bytes()
        try writeFile(output, bytes)
        var line = JSONWriter()
        line.beginObject()
        line.field("format", format.rawValue)
        if case .published(let site) = source { line.field("site", site.text) }
        line.field("output", output)
        line.field("bytes", bytes.count)
        line.endObject()
        invocation.output(line.finishText())
    }

    private func bytes() async throws -> [UInt8] {
        switch source {
        case .document(let path): return try bytes(of: readSite(path))
        case .published(let site):
            let services = try ServiceClient()
            // site-editor has the archive that the site was imported from.
            if format == .imdf, base == nil {
                return try await services.send(
                    "GET", "site-editor", "/v1/sites/\(site)/export?format=imdf"
                ).body
            }
            guard let published = try await services.publishedSite(site) else {
                throw SiteMissing(site: site)
            }
            return try bytes(of: published.document)
        }
    }

    private func bytes(of site: SiteDocument) throws -> [UInt8] {
        switch format {
        case .imdf:
            let archive = IMDFExchange.archive(
                of: site, base: try base.map { try IMDFArchive(readingFilesAt: $0) },
                created: RFC3339.text(microseconds: SystemTimeSource().nowMicroseconds))
            return try ZipArchive.pack(archive.archivedFiles.map { ($0.path, $0.bytes) })
        case .geojson: return GeoJSONExchange.featureCollection(of: site).json
        case .rooms: return Array(RoomTable.table(of: site).text.utf8)
        case .accessPoints: return Array(AccessPointTable.table(of: site).text.utf8)
        case .site: return site.json
        }
    }
}
