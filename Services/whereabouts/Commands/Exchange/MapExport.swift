import Archive
import Events
import HTTPClient
import JSON
import MapFormats
import ServiceRuntime
import Site
import SiteExchange
import Wire

/// One run of `export` with a map format: writes a site document or a published site to a file.
struct MapExport {
    /// The argument that asks for the site document itself.
    private static let document = "site"
    static let names = MapFormat.written.map(\.name) + [document]

    private enum Source {
        case document(path: String)
        case published(SiteID)
    }

    private let invocation: Invocation
    private let name: String
    /// The map format to write; nil for the site document itself.
    private let format: MapFormat?
    private let source: Source
    private let output: String
    private let base: String?

    init(_ invocation: Invocation, _ name: String) throws(UsageFault) {
        let reader = try ArgumentReader(
            invocation.arguments, options: ["--site", "--output", "--base"])
        self.invocation = invocation
        self.name = name
        format = MapFormat.written.first { $0.name == name }
        switch (reader.positional.count, try reader.site("--site")) {
        case (2, nil) where format != nil: source = .document(path: reader.positional[1])
        case (1, let site?): source = .published(site)
        case _ where format == nil: throw UsageFault("export site needs --site ID")
        default:
            throw UsageFault("export \(name) needs one site document, or --site ID")
        }
        guard let output = reader.last("--output") else {
            throw UsageFault("export needs --output FILE")
        }
        self.output = output
        base = reader.last("--base")
        guard base == nil || format?.isWrittenOverFile == true else {
            throw UsageFault("--base is for imdf only, not for \(name)")
        }
    }

    func run() async throws {
        let bytes = try await bytes()
        try writeFile(output, bytes)
        var line = JSONWriter()
        line.beginObject()
        line.field("format", name)
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
            // site-editor holds the archive that the site was imported from, so it exports.
            if format?.isWrittenOverFile == true, base == nil {
                return try await services.send(
                    "GET", "site-editor", "/v1/sites/\(site)/export?format=\(name)"
                ).body
            }
            guard let published = try await services.publishedSite(site) else {
                throw SiteMissing(site: site)
            }
            return try bytes(of: published.document)
        }
    }

    private func bytes(of site: SiteDocument) throws -> [UInt8] {
        guard let write = format?.write else { return site.json }
        return try write(
            site, base.map { .path($0) },
            RFC3339.text(microseconds: SystemTimeSource().nowMicroseconds))
    }
}
