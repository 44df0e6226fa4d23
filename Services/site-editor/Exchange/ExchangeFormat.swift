import Archive
import Events
import Geometry
import HTTP
import ServiceHost
import Site
import SiteExchange
import Wire

/// The forms in which sites come in and go out.
enum ExchangeFormat: String, CaseIterable {
    case imdf, geojson, rooms
    case accessPoints = "access-points"

    init(_ request: HTTPRequest) throws(Problem) {
        guard let format = request.firstQuery("format").flatMap(Self.init(rawValue:)) else {
            let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.formatUnknown, "format is one of \(known).")
        }
        self = format
    }

    var mediaType: String {
        switch self {
        case .imdf: "application/zip"
        case .geojson: "application/geo+json"
        case .rooms, .accessPoints: "text/csv; charset=utf-8; header=present"
        }
    }

    /// What a saved file is called.
    func fileName(_ site: SiteID) -> String {
        switch self {
        case .imdf: "\(site).imdf.zip"
        case .geojson: "\(site).geojson"
        case .rooms, .accessPoints: "\(site)-\(rawValue).csv"
        }
    }

    /// A table of CSV says a part of a site, and so does GeoJSON without buildings and floors; the others
    /// are sites of their own.
    func isWhole(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .imdf: true
        case .geojson:
            (try? PropertyValue(json: bytes)).map { !GeoJSONExchange.isPart($0) } ?? true
        case .rooms, .accessPoints: false
        }
    }

    // MARK: In

    /// - Parameters:
    ///   - site: the site that the file goes into; nil for a new one. What the file does not say stays as
    ///     it is there.
    ///   - timeZone: of the file's buildings; nil for the site's.
    func site(
        from bytes: [UInt8], into site: SiteDocument?, timeZone: String?
    ) throws -> ImportedSite {
        let zone = timeZone ?? site?.buildings.first?.timeZone ?? "Etc/UTC"
        switch self {
        case .imdf:
            return try IMDFExchange.site(
                from: Self.archive(bytes),
                IMDFImport.Options(timeZone: zone, frame: site?.frame))
        case .geojson:
            return try GeoJSONExchange.site(
                from: PropertyValue(json: bytes),
                GeoJSONExchange.Options(
                    siteName: site?.name, timeZone: zone, frame: site?.frame))
        case .rooms, .accessPoints:
            throw ImportRefusal(.nothingToImport, "a table goes into a site that is there")
        }
    }

    /// The site with what a part of one says.
    func site(_ site: SiteDocument, with bytes: [UInt8], timeZone: String?) throws -> ImportedSite {
        if self == .geojson {
            return try GeoJSONExchange.site(
                site, with: PropertyValue(json: bytes),
                GeoJSONExchange.Options(
                    timeZone: timeZone ?? site.buildings.first?.timeZone ?? "Etc/UTC"))
        }
        let table = try DelimitedTable(utf8: bytes)
        let changed =
            self == .rooms
            ? try RoomTable.site(site, with: table) : try AccessPointTable.site(site, with: table)
        return ImportedSite(document: changed, report: ImportReport())
    }

    /// - Parameter leavesOut: whether files whose paths lead out of the archive are passed over, as one that
    ///   was taken in before they were refused may have some.
    static func archive(_ bytes: [UInt8], leavesOut: Bool = false) throws -> IMDFArchive {
        var limits = ArchiveLimits()
        limits.entries = ImportLimits.files
        limits.entryBytes = ImportLimits.bytes
        limits.totalBytes = ImportLimits.bytes
        let files = try ZipArchive.unpack(bytes, limits: limits)
        return try IMDFArchive(
            files: files.filter { !leavesOut || IMDFArchive.isWithin($0.path) }.map {
                ArchivedFile(path: $0.path, bytes: $0.bytes)
            })
    }

    // MARK: Out

    /// - Parameters:
    ///   - base: the archive that the site was imported from, if any.
    ///   - created: the moment, as RFC 3339 writes it.
    func bytes(of site: SiteDocument, base: [UInt8]?, created: String) throws -> [UInt8] {
        switch self {
        case .imdf:
            let archive = IMDFExchange.archive(
                of: site, base: try base.map { try Self.archive($0, leavesOut: true) },
                created: created)
            return try ZipArchive.pack(archive.archivedFiles.map { ($0.path, $0.bytes) })
        case .geojson: return GeoJSONExchange.featureCollection(of: site).json
        case .rooms: return Array(RoomTable.table(of: site).text.utf8)
        case .accessPoints: return Array(AccessPointTable.table(of: site).text.utf8)
        }
    }
}
