import Events
import Geometry
import Site
import SiteExchange

extension Visibility: WireMember {}
extension SiteAudience: WireMember {}

extension RoomRecord: SiteRecordObject {
    static var isListedWhenEmpty: Bool { true }
    static var blank: Self {
        Self(id: RoomID(""), floor: FloorID(""), name: "", kind: "", outline: [])
    }

    static func usual(
        _ value: PropertyValue, timeZone: String
    ) -> [(member: String, value: PropertyValue)] {
        [("name", ""), ("kind", "room")]
    }

    mutating func members<Form: MemberForm & ~Copyable>(_ form: inout Form) throws(Form.Fault) {
        try form.required("id", &id)
        try form.required("floor", &floor)
        try form.required("name", &name)
        try form.optional("names", &names)
        try form.required("kind", &kind, .bytes(256))
        try form.always("outline", &outline)
        try form.optional("holes", &holes)
        try form.optional("accessible", &accessible)
        try form.optional("restricted", &isRestricted)
        try form.optional("openingHours", &openingHours)
        try form.optional("surface", &surface, .bytes(256))
        try form.optional("tactilePaving", &hasTactilePaving)
        try form.optional("visibility", &visibility)
        try form.optional("timetableVisibility", &timetableVisibility)
        try form.optional("proposed", &isProposed)
    }
}
