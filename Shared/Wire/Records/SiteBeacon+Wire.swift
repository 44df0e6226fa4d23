import Events
import Geometry
import Site

extension SiteBeacon: SiteRecordObject {
    static var blank: Self { Self(id: BeaconID(""), floor: FloorID(""), point: [0, 0]) }

    mutating func members<Form: MemberForm & ~Copyable>(_ form: inout Form) throws(Form.Fault) {
        try form.required("id", &id)
        try form.optional("name", &name)
        try form.required("floor", &floor)
        try form.point(&point)
        try form.optional("uuid", &uuid, .fault(.uuidMalformed))
        try form.optional("major", &major, .within(0...65_535))
        try form.optional("minor", &minor, .within(0...65_535))
        try form.optional("address", &address, .fault(.addressMalformed))
        try form.optional("txPower", &txPower, .within(-128...127))
        try form.optional("batteryByte", &batteryByte)
        try form.optional("group", &group)
        try form.optional("orderInGroup", &orderInGroup, .within(0...1_000_000))
        try form.optional("closesRing", &closesRing)
        try form.optional("disabled", &isDisabled)
        try form.optional("farthestMetres", &farthestMetres)
        try form.optional("nearDecibels", &proximity.nearDecibels)
        try form.optional("farDecibels", &proximity.farDecibels)
        try form.optional("hysteresisDecibels", &proximity.hysteresisDecibels)
    }
}

extension BeaconID: WireMember {}
extension BeaconGroupID: WireMember {}
extension BatteryByte: WireMember {}
