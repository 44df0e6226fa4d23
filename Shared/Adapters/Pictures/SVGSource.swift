import CPictures

/// A drawing that librsvg has read. It frees librsvg's handle.
///
/// One call on one thread uses it.
final class SVGSource {
    private let handle: UnsafeMutablePointer<RsvgHandle>
    /// The drawing's size in pixels.
    let width: Double
    let height: Double

    init(_ svg: [UInt8]) throws(PictureError) {
        var failure: UnsafeMutablePointer<GError>?
        let made = svg.withUnsafeBufferPointer {
            rsvg_handle_new_from_data($0.baseAddress, gsize($0.count), &failure)
        }
        guard let made else { throw Self.error(.malformed, &failure) }
        handle = made
        var (width, height) = (0.0, 0.0)
        let hasSize = rsvg_handle_get_intrinsic_size_in_pixels(made, &width, &height) != 0
        (self.width, self.height) = (width, height)
        guard hasSize, width > 0, height > 0 else {
            throw PictureError(code: .malformed, reason: "the drawing has no size")
        }
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(handle)) }

    /// Draws the complete drawing at this size.
    func draw(on context: OpaquePointer?, width: Double, height: Double) throws(PictureError) {
        var viewport = RsvgRectangle(x: 0, y: 0, width: width, height: height)
        var failure: UnsafeMutablePointer<GError>?
        guard rsvg_handle_render_document(handle, context, &viewport, &failure) != 0 else {
            throw Self.error(.drawing, &failure)
        }
    }

    private static func error(
        _ code: PictureError.Code, _ failure: inout UnsafeMutablePointer<GError>?
    ) -> PictureError {
        let reason = failure.map { String(cString: $0.pointee.message) } ?? "no reason given"
        g_clear_error(&failure)
        return PictureError(code: code, reason: reason)
    }
}

/// The bytes that Cairo writes. One call on one thread uses it.
final class FileBytes {
    var bytes: [UInt8] = []
}

/// Cairo calls this with pieces of the file, while the caller holds the `FileBytes`.
func appendBytes(
    _ closure: UnsafeMutableRawPointer?, _ data: UnsafePointer<UInt8>?, _ length: UInt32
) -> cairo_status_t {
    guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
    let file = Unmanaged<FileBytes>.fromOpaque(closure).takeUnretainedValue()
    file.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
    return CAIRO_STATUS_SUCCESS
}

/// - Throws: `PictureError` where Cairo has failed.
func check(_ status: cairo_status_t) throws(PictureError) {
    guard status == CAIRO_STATUS_SUCCESS else {
        throw PictureError(
            code: .drawing, reason: String(cString: cairo_status_to_string(status)))
    }
}
