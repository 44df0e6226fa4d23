import CPictures

/// Converts SVG drawings to pixel pictures with librsvg, which draws with Cairo and sets text with
/// Pango.
///
/// The program makes its drawings itself, and files that they name are never fetched. A call takes
/// up to a few hundred milliseconds of one processor and keeps nothing in memory.
public enum PNGPicture {
    /// The limit for a picture's pixels. It means 160 MB while the picture is drawn.
    static let mostPixels = 40_000_000

    /// - Parameter widthPixels: the picture's width. Its height follows from the drawing's
    ///   proportions.
    /// - Returns: a PNG file with a white background.
    public static func png(
        svg: [UInt8], widthPixels: Int
    ) throws(PictureError) -> [UInt8] {
        precondition(widthPixels > 0, "a picture has a width")
        let source = try SVGSource(svg)
        let heightPixels = max(1, (Double(widthPixels) * source.height / source.width).rounded(.up))
        guard heightPixels * Double(widthPixels) <= Double(mostPixels) else {
            throw PictureError(
                code: .tooLarge, reason: "a picture has at most \(mostPixels) pixels")
        }
        return try draw(source, widthPixels, Int(heightPixels))
    }

    private static func draw(
        _ source: SVGSource, _ width: Int, _ height: Int
    ) throws(PictureError) -> [UInt8] {
        let surface = cairo_image_surface_create(
            CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
        defer { cairo_surface_destroy(surface) }
        let context = cairo_create(surface)
        defer { cairo_destroy(context) }
        cairo_set_source_rgb(context, 1, 1, 1)
        cairo_paint(context)
        try source.draw(on: context, width: Double(width), height: Double(height))
        let file = FileBytes()
        try check(
            cairo_surface_write_to_png_stream(
                surface, appendBytes, Unmanaged.passUnretained(file).toOpaque()))
        return file.bytes
    }
}
