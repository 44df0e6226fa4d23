import JSON
public import Site

extension MediaReference: WireObject {
    static var blank: Self { Self(hash: "", type: "", bytes: 0) }

    mutating func members<Form: MemberForm & ~Copyable>(_ form: inout Form) throws(Form.Fault) {
        try form.required("hash", &hash, .bytes(64))
        try form.required("type", &type, .bytes(128))
        try form.required("bytes", &bytes, .within(0...Int.max))
    }

    /// The answer to an upload, with the size in pixels where the file is a picture.
    public func answer(sizePixels: (width: Int, height: Int)?) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("media")
        write(to: &writer)
        writer.field("widthPixels", sizePixels?.width)
        writer.field("heightPixels", sizePixels?.height)
        writer.endObject()
        return writer.finish()
    }
}
