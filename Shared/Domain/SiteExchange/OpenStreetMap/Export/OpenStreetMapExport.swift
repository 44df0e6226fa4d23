public import Site

/// A site as OpenStreetMap data, by Simple Indoor Tagging (OpenStreetMap wiki): levels, rooms,
/// corridors, doors, stairs and lifts with their names, opening hours and accessibility.
///
/// The import of the file gives the same site again, in all that the format can say. It can't say:
/// - zones, locations, contents, beacons, scanners, access points, floor plans, discarded surveys
/// - who sees a site, a floor, a room, a timetable or an entry, and what is only proposed
/// - rooms without an outline, outlines of floors and of the site, the heights of floors
/// - the side to which a door opens, that it is not of glass, and rises from a grid of heights
/// - stops of one lift at different points
/// - entries without a room, a floor or a building, and entries above others
///
/// Coordinates are rounded to ten-millionths of a degree, about a centimetre.
public struct OpenStreetMapExport: Sendable {
    public let data: OpenStreetMapData

    public init(_ site: SiteDocument) {
        var writing = MapWriting(site)
        writing.addBuildings()
        writing.addDoors()
        writing.addRooms()
        writing.addWays()
        writing.addDirectory()
        writing.addFloors()
        writing.addSite()
        data = writing.data
    }
}
