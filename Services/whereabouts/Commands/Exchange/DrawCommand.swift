import Events
import Pictures
import Site
import SiteMap
import Wire

extension Command {
    /// Draws a map of a site's document.
    public static let draw = Command(
        name: "draw", summary: "draw a map of a floor, or of the site outdoors",
        help: """
            whereabouts draw SITE.json [--floor ID] [--language TAG] [--width PIXELS] --output FILE

              --floor     the floor to draw (default: the site outdoors)
              --language  the language of names, such as cy or de (default: the plain names)
              --width     the picture's width (default 1600)
              --output    .svg, .png or .geojson
            """,
        run: { try draw($0) })

    private static func draw(_ invocation: Invocation) throws {
        let reader = try ArgumentReader(
            invocation.arguments, options: ["--floor", "--language", "--width", "--output"])
        guard let path = reader.positional.first, reader.positional.count == 1 else {
            throw UsageFault("draw needs one site document")
        }
        guard let output = reader.last("--output") else {
            throw UsageFault("draw needs --output FILE")
        }
        let width = Int(
            clamping: try reader.unsigned("--width") ?? UInt64(MapPage.ordinaryWidthPixels))
        guard MapPage.widthsPixels.contains(width) else {
            throw UsageFault(
                "--width needs a number between \(MapPage.widthsPixels.lowerBound) and "
                    + "\(MapPage.widthsPixels.upperBound)")
        }
        let site = try SiteIndex(SiteDocument(json: readFile(path)))
        let map: SiteMap
        if let floor = reader.last("--floor") {
            guard let known = SiteMap(of: site, floor: FloorID(floor)) else {
                let all = site.floors.map(\.id.text).joined(separator: ", ")
                throw CommandFault("there is no floor \(floor); the floors are \(all)")
            }
            map = known
        } else {
            map = SiteMap(outdoorsOf: site)
        }
        let language = reader.last("--language")
        let page = MapPage(widthPixels: width, language: language)
        switch output.split(separator: ".").last {
        case "svg": try writeFile(output, [UInt8](map.svg(page).utf8))
        case "png":
            try writeFile(
                output, PNGPicture.png(svg: [UInt8](map.svg(page).utf8), widthPixels: width))
        case "geojson": try writeFile(output, map.geoJSON(language: language))
        default: throw UsageFault("--output needs a name that ends in .svg, .png or .geojson")
        }
        invocation.output(#"{"features":\#(map.features.count)}"#)
    }
}
