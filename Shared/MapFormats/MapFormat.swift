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
    /// Reads the facts by which people choose how the file is imported; nil for a format that needs
    /// no choice.
    var readFacts: (@Sendable (MapFile, ImportOptions) throws -> FileFacts)?

    public static let all: [MapFormat] = [
        .openStreetMap, .imdf, .geojson, .drawing, .rooms, .accessPoints, .connections,
        .roomList, .beacons, .heights,
    ]

    /// Formats whose files can hold a complete site.
    public static let maps = all.filter { !$0.isTable }

    /// Formats that sites can be exported in.
    public static let written = all.filter { $0.write != nil }

    public static func named(_ name: String) -> MapFormat? { all.first { $0.name == name } }

    /// Whether an export needs the file that the site was imported from, for the parts that a site
    /// can't hold.
    public var isWrittenOverFile = false
    /// Whether the file is a table of one kind of record.
    public var isTable = false
    /// Whether the file can't become a site of its own, and only goes into one that is there.
    public var needsSite = false
    /// Whether its import gives ways their rises, with the slopes that belong to them.
    public var givesRises = false
    /// Whether the next import of the format compares the file with this one.
    public var isComparedWithFormer = false

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

    /// The facts that the file has about itself; nil where no choice is needed.
    ///
    /// - Throws: the fault in the file.
    public func facts(
        of file: MapFile, _ options: ImportOptions = .init()
    ) throws -> FileFacts? {
        try readFacts?(file, options)
    }

    /// The site as the format says it, as if it was exported and imported again. With it as the
    /// base of a merge the file's changes count, and what the format can't say stays.
    ///
    /// - Returns: nil for a format that is only read, or that holds parts.
    public func echo(of site: SiteDocument) throws -> SiteDocument? {
        guard let write, !needsSite else { return nil }
        let timeZone = site.buildings.first?.timeZone ?? "Etc/UTC"
        let bytes = try write(site, nil, "1970-01-01T00:00:00Z")
        return try readWhole(
            .bytes(bytes),
            ImportOptions(usualName: site.name, timeZone: timeZone, frame: site.frame)
        ).document
    }

    /// Imports a file on disk; see above. A file whose JSON can't be read is refused.
    public func read(
        _ path: String, into site: SiteDocument? = nil, _ options: ImportOptions = .init()
    ) throws -> ImportedSite {
        try MapFile.refusing { try read(.path(path), into: site, options) }
    }
}
