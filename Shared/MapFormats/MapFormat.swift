public import Site
public import SiteExchange
import Wire

/// A format for the import and export of sites. Each format has a file of its own,
/// `MapFormat+Name.swift`. The program and site-editor read and write through this table alone.
public struct MapFormat: Sendable {
    /// The name by which commands and requests ask for the format, such as `osm`.
    public let name: String
    /// A description of the files that it reads, for people.
    public let summary: String
    /// The end of the name of a saved file, such as `.geojson`.
    public var fileEnding = ""
    public var mediaType = "application/octet-stream"
    /// Whether a file holds only a part of a site, and so is imported into an existing one.
    public var isPart: @Sendable (MapFile) -> Bool = { _ in false }
    /// Reads a file that holds a complete site.
    var readWhole: @Sendable (MapFile, ImportOptions) throws -> ImportedSite
    /// Reads a file that holds a part, and returns the given site with that part.
    var readPart: @Sendable (MapFile, SiteDocument, ImportOptions) throws -> ImportedSite = {
        _, _, _ in throw ImportRefusal(.malformed, "the file is a site of its own")
    }
    /// Writes a site; nil for a format that is only read.
    ///
    /// - Parameters: the site, the archive that it was imported from if any, and the time as RFC
    ///   3339.
    public var write: (@Sendable (SiteDocument, _ base: MapFile?, String) throws -> [UInt8])?

    public static let all: [MapFormat] = [
        .openStreetMap, .imdf, .geojson, .rooms, .accessPoints, .connections, .beacons,
        .heights,
    ]

    /// Formats whose files can hold a complete site.
    public static let maps = all.filter { !$0.isTable }

    /// Formats that sites can be exported in.
    public static let written = all.filter { $0.write != nil }

    /// Formats that site-editor imports: a map of OpenStreetMap is too large for it.
    public static let served = all.filter { $0.write != nil || $0.needsSite }

    public static func named(_ name: String) -> MapFormat? { all.first { $0.name == name } }

    /// Whether an export needs the file that the site was imported from, for the parts that a site
    /// can't hold.
    public var isWrittenOverFile = false
    /// Whether the file is a table of one kind of record.
    var isTable = false
    /// Whether the file can't become a site of its own, and only goes into one that is there.
    public var needsSite = false
    /// Whether its import gives ways their rises, with the slopes that belong to them.
    public var givesRises = false

    /// Imports the file as a site, or as a part of one.
    ///
    /// - Parameter site: the site that the file goes into; nil for a new site.
    /// - Throws: the fault in the file. Nothing is imported then.
    public func read(
        _ file: MapFile, into site: SiteDocument? = nil, _ options: ImportOptions = .init()
    ) throws -> ImportedSite {
        if let site, isPart(file) { return try readPart(file, site, options) }
        return try readWhole(file, options)
    }

    /// Imports a file on disk; see above. A file whose JSON can't be read is refused.
    public func read(
        _ path: String, into site: SiteDocument? = nil, _ options: ImportOptions = .init()
    ) throws -> ImportedSite {
        try MapFile.refusing { try read(.path(path), into: site, options) }
    }
}
