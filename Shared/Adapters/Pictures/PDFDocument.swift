import CPictures

/// Converts SVG drawings to pages of a PDF file, with librsvg and Cairo.
public enum PDFDocument {
    /// A4, in points of 1/72 inch.
    private static let (width, height) = (595.28, 841.89)

    /// - Parameter pages: SVG drawings in the proportions of A4; at least one.
    /// - Returns: a PDF file with a page for each.
    public static func pdf(pages: [[UInt8]]) throws(PictureError) -> [UInt8] {
        precondition(!pages.isEmpty, "a document has a page")
        let file = FileBytes()
        let surface = cairo_pdf_surface_create_for_stream(
            appendBytes, Unmanaged.passUnretained(file).toOpaque(), width, height)
        defer { cairo_surface_destroy(surface) }
        let context = cairo_create(surface)
        defer { cairo_destroy(context) }
        for page in pages {
            try SVGSource(page).draw(on: context, width: width, height: height)
            cairo_show_page(context)
        }
        try check(cairo_status(context))
        cairo_surface_finish(surface)
        try check(cairo_surface_status(surface))
        return file.bytes
    }
}
