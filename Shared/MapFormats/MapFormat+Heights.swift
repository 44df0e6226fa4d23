import Site
import SiteExchange

extension MapFormat {
    /// Heights of the ground, which give outdoor ways their slopes.
    static let heights = MapFormat(
        name: "heights",
        summary: "heights of the ground, for slopes: an ESRI ASCII grid in degrees (WGS84)",
        fileEnding: ".asc",
        mediaType: "text/plain",
        isPart: { _ in true },
        readWhole: { _, _ in
            throw ImportRefusal(.nothingToImport, "heights go into a site that is there")
        },
        readPart: { file, site, _ in
            let grid = try HeightGrid(utf8: file.content())
            return try SlopeImport(grid, site).site(site)
        },
        needsSite: true,
        givesRises: true)
}
