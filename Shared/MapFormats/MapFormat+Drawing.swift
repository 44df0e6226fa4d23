import SiteExchange

extension MapFormat {
    static let drawing = MapFormat(
        name: "dxf",
        summary: "a floor's drawing: DXF as text, whose closed outlines become rooms",
        fileEnding: ".dxf",
        mediaType: "image/vnd.dxf",
        isPart: { _ in true },
        readWhole: { _, _ in
            throw ImportRefusal(
                .nothingToImport, "a drawing goes into a floor of a site that is there")
        },
        readPart: { file, site, options in
            let drawing = try DrawingFile(file.content())
            return try DrawingImport(drawing, options.drawing).site(site)
        },
        readFacts: { file, options in
            FileFacts(try DrawingFile(file.content()), options.drawing)
        },
        needsSite: true)
}
