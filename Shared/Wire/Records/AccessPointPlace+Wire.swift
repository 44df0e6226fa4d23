import Events
import Geometry
import Site

extension AccessPointPlace: SiteRecordObject {
    static var blank: Self {
        Self(address: HardwareAddress(value: 0), floor: FloorID(""), point: [0, 0])
    }

    mutating func members<Form: MemberForm & ~Copyable>(_ form: inout Form) throws(Form.Fault) {
        try form.required("address", &address, .fault(.bssidMalformed))
        try form.required("floor", &floor)
        try form.point(&point)
    }
}
