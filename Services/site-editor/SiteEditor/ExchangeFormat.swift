import Archive
import Events
import Geometry
import HTTP
import ServiceHost
import SiteImport
import Wire

/// The forms in which sites come in and go out.
enum ExchangeFormat: String, CaseIterable {
    case imdf, geojson, rooms
    case accessPoints = "access-points"

    init(_ request: HTTPRequest) throws(Problem) {
        guard let format = request.firstQuery("format").flatMap(Self.init(rawValue:)) else {
            let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(400, "format-unknown", "format is one of \(known).")
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

    /// A table of CSV says a part of a site; the others are sites of their own.
    var isWhole: Bool { self == .imdf || self == .geojson }

    // MARK: In

    /// - Parameter frame: the frame of the site that the file goes into; nil for a new one.
    func site(from bytes: [UInt8], frame: LocalFrame?) throws -> ImportedSite {
        switch self {
        case .imdf:
            return try IMDFExchange.site(
                from: Self.archive(bytes), IMDFImport.Options(frame: frame))
        case .geojson:
            return try GeoJSONExchange.site(
                from: PropertyValue(json: bytes), GeoJSONExchange.Options(frame: frame))
        case .rooms, .accessPoints:
            throw ImportRefusal(.nothingToImport, "a table goes into a site that is there")
        }
    }

    /// The site with what a table says.
    func site(_ site: SiteDocument, with bytes: [UInt8]) throws -> SiteDocument {
        let table = try DelimitedTable(utf8: bytes)
        return self == .rooms
            ? try RoomTable.site(site, with: table) : try AccessPointTable.site(site, with: table)
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
