import Events
import Geometry
import Site

extension LocationRecord: SiteRecordObject {
    static var isListedWhenEmpty: Bool { true }
    static var blank: Self {
        Self(id: LocationID(""), floor: FloorID(""), room: nil, point: [0, 0])
    }

    mutating func members<Form: MemberForm & ~Copyable>(_ form: inout Form) throws(Form.Fault) {
        try form.required("id", &id)
        try form.optional("name", &name)
        try form.optional("names", &names)
        try form.required("floor", &floor)
        try form.optional("room", &room)
        try form.point(&point)
    }
}
