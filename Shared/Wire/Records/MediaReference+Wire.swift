public import JSON
public import Site

extension MediaReference: WireObject {
    static var blank: Self { Self(hash: "", type: "", bytes: 0) }

    mutating func members<Form: MemberForm & ~Copyable>(_ form: inout Form) throws(Form.Fault) {
        try form.required("hash", &hash, .bytes(64))
        try form.required("type", &type, .bytes(128))
        try form.required("bytes", &bytes, .within(0...Int.max))
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
    }
}
