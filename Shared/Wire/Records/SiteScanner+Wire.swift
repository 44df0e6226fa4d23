import Events
import Geometry
import Site

extension SiteScanner: SiteRecordObject {
    static var blank: Self { Self(id: ScannerID(""), floor: FloorID(""), point: [0, 0]) }

    mutating func members<Form: MemberForm & ~Copyable>(_ form: inout Form) throws(Form.Fault) {
        try form.required("id", &id)
        try form.optional("name", &name)
        try form.required("floor", &floor)
        try form.point(&point)
        try form.optional("heightMetres", &heightMetres)
    }
}

extension ScannerID: WireMember {}
