import Events
import Geometry
import Site
import SiteExchange

extension ZoneRecord: SiteRecordObject {
    static var blank: Self { Self(id: ZoneID(""), name: "", kind: "") }

    static func usual(
        _ value: PropertyValue, timeZone: String
    ) -> [(member: String, value: PropertyValue)] {
        [("name", ""), ("kind", "zone")]
    }

    mutating func members<Form: MemberForm & ~Copyable>(_ form: inout Form) throws(Form.Fault) {
        try form.required("id", &id)
        try form.required("name", &name)
        try form.optional("names", &names)
        try form.required("kind", &kind, .bytes(256))
        try form.optional("floor", &floor)
        try form.optional("outline", &outline)
        try form.optional("rooms", &rooms)
    }
}

extension ZoneID: WireMember {}
