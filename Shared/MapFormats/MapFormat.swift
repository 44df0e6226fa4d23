public import Site
public import SiteExchange
import Wire

/// A format in which sites come in and go out. Each is in a file of its own,
/// `MapFormat+Name.swift`; the program and site-editor read and write by this table alone.
public struct MapFormat: Sendable {
    /// The word that asks for it, such as `osm`.
    public let name: String
    /// The files that it reads, in words for people.
    public let summary: String
    /// The end of the name of a saved file, such as `.geojson`.
    public var fileEnding = ""
    public var mediaType = "application/octet-stream"
    /// Whether the file says a part of a site only, and so goes into one that is there.
    public var isPart: @Sendable (MapFile) -> Bool = { _ in false }
    /// Reads a file that is a site of its own.
    var readWhole: @Sendable (MapFile, ImportOptions) throws -> ImportedSite
    /// The site with what the file says of a part of it.
    var readPart: @Sendable (MapFile, SiteDocument, ImportOptions) throws -> ImportedSite = {
        _, _, _ in throw ImportRefusal(.malformed, "the file is a site of its own")
    }
    /// Writes a site; nil for a format that is only read.
    ///
    /// - Parameters: the site, the archive that it was imported from if any, and the moment as RFC
    ///   3339 writes it.
    public var write: (@Sendable (SiteDocument, _ base: MapFile?, String) throws -> [UInt8])?

    public static let all: [MapFormat] = [
        .openStreetMap, .imdf, .geojson, .rooms, .accessPoints,
    ]

    /// Those whose files may be sites of their own.
    public static let maps = all.filter { !$0.isTable }

    /// Those that sites are written in, and that site-editor takes: a map of OpenStreetMap is too
    /// large for it.
    public static let written = all.filter { $0.write != nil }

    public static func named(_ name: String) -> MapFormat? { all.first { $0.name == name } }

    /// Whether what a site can't hold stays in the file, which is then needed to write it again.
    public var isWrittenOverFile = false
    /// Whether it is a table of one kind of record.
    var isTable = false

    /// The file as a site, or the site with a part of one.
    ///
    /// - Parameter site: what the file goes into; nil for a new site.
    /// - Throws: what is wrong with the file; then nothing is imported.
    public func read(
        _ file: MapFile, into site: SiteDocument? = nil, _ options: ImportOptions = .init()
    ) throws -> ImportedSite {
        if let site, isPart(file) { return try readPart(file, site, options) }
        return try readWhole(file, options)
    }

    /// The same of a file on disk, which is refused where its JSON can't be read.
    public func read(
        _ path: String, into site: SiteDocument? = nil, _ options: ImportOptions = .init()
    ) throws -> ImportedSite {
        try MapFile.refusing { try read(.path(path), into: site, options) }
    }
}
