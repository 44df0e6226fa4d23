import Events
import Site

extension DirectoryEntry: SiteRecordObject {
    static var blank: Self { Self(id: DirectoryID(""), kind: "", name: "") }

    mutating func members<Form: MemberForm & ~Copyable>(_ form: inout Form) throws(Form.Fault) {
        try form.required("id", &id)
        try form.required("kind", &kind, .bytes(256))
        try form.required("name", &name)
        try form.optional("names", &names)
        try form.optional("parent", &parent)
        try form.optional("places", &places)
        try form.optional("openingHours", &openingHours)
        try form.optional("website", &website)
        try form.optional("telephone", &telephone, .bytes(256))
        try form.optional("visibility", &visibility)
    }
}

extension DirectoryID: WireMember {}
