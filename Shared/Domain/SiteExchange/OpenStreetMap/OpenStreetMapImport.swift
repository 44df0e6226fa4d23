import Events
import Geometry
import Site

/// Makes a site of a map of OpenStreetMap: rooms, stairs, lifts and doors of Simple Indoor Tagging,
/// and the streets and paths around them.
///
/// Ids come from the map's own: `w123` for a way, `n123` for a node, `r123` for a relation, with a
/// suffix for a level or a part. So the same file gives the same site. What can't be kept is left
/// out and noted; a file of which nothing can be kept is refused.
public struct OpenStreetMapImport: Sendable {
    /// What a site is called when neither the map nor anybody says.
    public static let unnamed = "OpenStreetMap"

    public let options: ImportOptions

    public init(_ options: ImportOptions = ImportOptions()) { self.options = options }

    public func site(from data: OpenStreetMapData) throws(ImportRefusal) -> ImportedSite {
        guard let frame = options.frame ?? MapOrigin.frame(of: data) else {
            throw ImportRefusal(.nothingToImport, "no node of the file lies on the Earth")
        }
        var report = ImportReport()
        let nodes = MapNodes(data.nodes, frame: frame, noting: &report)
        let contents = MapContents(data, nodes: nodes, report: report)
        guard contents.cornerCount <= SiteLimits.corners else {
            throw ImportRefusal(
                .tooLarge, "its rooms and buildings have over \(SiteLimits.corners) corners")
        }
        var assembly = SiteAssembly(contents, options: options)
        assembly.takeRooms()
        assembly.takePaths()
        assembly.takeLifts()
        assembly.takeDoors()
        assembly.takeOpenings()
        assembly.takeShafts()
        assembly.takeGuessedDoors()
        assembly.takeWalls()
        assembly.takeDirectory()
        return try assembly.finish(frame, named: MapOrigin.name(of: data))
    }
}
