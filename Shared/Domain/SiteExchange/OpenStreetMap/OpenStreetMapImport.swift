import Events
import Geometry
import Site

/// Imports a site from an OpenStreetMap file: rooms, stairs, lifts and doors of Simple Indoor
/// Tagging, and the streets and paths around them.
///
/// Ids come from the file: `w123` for a way, `n123` for a node, `r123` for a relation. A suffix
/// stands for a level or a part. So the same file always gives the same site. Things that a site
/// can't have are left out and noted. A file without any usable thing is refused.
///
/// Things of our own export keep the ids, floors and stops that they state (`OwnTags`).
public struct OpenStreetMapImport: Sendable {
    /// The site's name if neither the file nor the caller gives one.
    public static let unnamed = "OpenStreetMap"

    public let options: ImportOptions

    public init(_ options: ImportOptions = ImportOptions()) { self.options = options }

    /// Whether the file is an export of a site, perhaps with changes that somebody made since.
    public static func isOwn(_ data: OpenStreetMapData) -> Bool {
        OwnSite(data, timeZone: "Etc/UTC").isStated
    }

    public func site(from data: OpenStreetMapData) throws(ImportRefusal) -> ImportedSite {
        let own = OwnSite(data, timeZone: options.timeZone)
        guard let frame = options.frame ?? own.frame ?? MapOrigin.frame(of: data) else {
            throw ImportRefusal(.nothingToImport, "no node of the file has valid coordinates")
        }
        var report = ImportReport()
        let nodes = MapNodes(data.nodes, frame: frame, noting: &report)
        let contents = MapContents(data, nodes: nodes, own: own, report: report)
        guard contents.cornerCount <= SiteLimits.corners else {
            throw ImportRefusal(
                .tooLarge, "its rooms and buildings have over \(SiteLimits.corners) corners")
        }
        var assembly = SiteAssembly(contents, options: options)
        assembly.addRooms()
        assembly.addOwnConnections()
        assembly.addPaths()
        assembly.addLifts()
        assembly.addDoors()
        assembly.addOpenings()
        assembly.addShafts()
        assembly.addGuessedDoors()
        assembly.addWalls()
        assembly.addDirectory()
        return try assembly.finish(
            frame, named: own.facts?.name ?? MapOrigin.name(of: data))
    }
}
