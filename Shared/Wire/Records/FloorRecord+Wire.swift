import Events
import Geometry
import Site
import SiteExchange

extension FloorRecord: SiteRecordObject {
    static var isListedWhenEmpty: Bool { true }
    static var blank: Self {
        Self(id: FloorID(""), building: BuildingID(""), ordinal: 0, level: "")
    }

    static func usual(
        _ value: PropertyValue, timeZone: String
    ) -> [(member: String, value: PropertyValue)] {
        [("level", value["id"]), ("ordinal", 0)]
    }

    mutating func members<Form: MemberForm & ~Copyable>(_ form: inout Form) throws(Form.Fault) {
        try form.required("id", &id)
        try form.required("building", &building)
        try form.required("ordinal", &ordinal, .within(-1_000...1_000))
        try form.required("level", &level, .bytes(256))
        try form.optional("names", &names)
        try form.optional("heightMetres", &heightMetres, .within(-1_000.0...1_000))
        try form.optional("outline", &outline)
        try form.optional("visibility", &visibility)
    }
}
