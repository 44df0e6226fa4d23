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
        var failure: UnsafeMutablePointer<GError>?
        let made = svg.withUnsafeBufferPointer {
            rsvg_handle_new_from_data($0.baseAddress, gsize($0.count), &failure)
        }
        guard let handle = made else { throw error(.malformed, &failure) }
        defer { g_object_unref(UnsafeMutableRawPointer(handle)) }
        var (width, height) = (0.0, 0.0)
        guard rsvg_handle_get_intrinsic_size_in_pixels(handle, &width, &height) != 0, width > 0,
            height > 0
        else { throw PictureError(code: .malformed, reason: "the drawing has no size") }
        let heightPixels = max(1, (Double(widthPixels) * height / width).rounded(.up))
        guard heightPixels * Double(widthPixels) <= Double(mostPixels) else {
            throw PictureError(
                code: .tooLarge, reason: "a picture has at most \(mostPixels) pixels")
        }
        return try draw(handle, widthPixels, Int(heightPixels))
    }

    private static func draw(
        _ handle: OpaquePointerOrHandle, _ width: Int, _ height: Int
    ) throws(PictureError) -> [UInt8] {
        let surface = cairo_image_surface_create(
            CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
        defer { cairo_surface_destroy(surface) }
        let context = cairo_create(surface)
        defer { cairo_destroy(context) }
        cairo_set_source_rgb(context, 1, 1, 1)
        cairo_paint(context)
        var viewport = RsvgRectangle(
            x: 0, y: 0, width: Double(width), height: Double(height))
        var failure: UnsafeMutablePointer<GError>?
        guard rsvg_handle_render_document(handle, context, &viewport, &failure) != 0 else {
            throw error(.drawing, &failure)
        }
        let file = FileBytes()
        let status = cairo_surface_write_to_png_stream(
            surface, appendBytes, Unmanaged.passUnretained(file).toOpaque())
        guard status == CAIRO_STATUS_SUCCESS else {
            throw PictureError(
                code: .drawing, reason: String(cString: cairo_status_to_string(status)))
        }
        return file.bytes
    }

    private static func error(
        _ code: PictureError.Code, _ failure: inout UnsafeMutablePointer<GError>?
    ) -> PictureError {
        let reason = failure.map { String(cString: $0.pointee.message) } ?? "no reason given"
        g_clear_error(&failure)
        return PictureError(code: code, reason: reason)
    }
}

private typealias OpaquePointerOrHandle = UnsafeMutablePointer<RsvgHandle>

/// The bytes that Cairo writes. One call on one thread uses it.
private final class FileBytes {
    var bytes: [UInt8] = []
}

/// Cairo calls this with pieces of the file, while the caller holds the `FileBytes`.
private func appendBytes(
    _ closure: UnsafeMutableRawPointer?, _ data: UnsafePointer<UInt8>?, _ length: UInt32
) -> cairo_status_t {
    guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
    let file = Unmanaged<FileBytes>.fromOpaque(closure).takeUnretainedValue()
    file.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
    return CAIRO_STATUS_SUCCESS
}
