import Events
import Geometry
import Site
import SiteExchange

extension BuildingRecord: SiteRecordObject {
    static var isListedWhenEmpty: Bool { true }
    static var blank: Self { Self(id: BuildingID(""), name: "", timeZone: "") }

    static func usual(
        _ value: PropertyValue, timeZone: String
    ) -> [(member: String, value: PropertyValue)] {
        [("name", ""), ("timeZone", .text(timeZone))]
    }

    mutating func members<Form: MemberForm & ~Copyable>(_ form: inout Form) throws(Form.Fault) {
        try form.required("id", &id)
        try form.required("name", &name)
        try form.optional("names", &names)
        try form.required("timeZone", &timeZone, .bytes(64))
        try form.optional("outline", &outline)
        try form.optional("address", &address)
    }
}
