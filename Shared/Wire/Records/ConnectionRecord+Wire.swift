import Events
import Geometry
import Site
import SiteExchange

extension ConnectionRecord: SiteRecordObject {
    static var blank: Self { Self(id: ConnectionID(""), kind: .walk, stops: []) }

    static func usual(
        _ value: PropertyValue, timeZone: String
    ) -> [(member: String, value: PropertyValue)] {
        [("kind", "walk")]
    }

    mutating func members<Form: MemberForm & ~Copyable>(_ form: inout Form) throws(Form.Fault) {
        try form.required("id", &id)
        try form.required("kind", &kind)
        try form.optional("name", &name)
        try form.optional("names", &names)
        try form.always("stops", &stops)
        try form.optional("line", &line)
        try form.optional("oneWay", &isOneWay)
        try form.always("accessible", &accessible)
        try form.optional("widthMetres", &widthMetres)
        try form.optional("slope", &slope)
        try form.optional("riseMetres", &riseMetres)
        try form.optional("offGround", &isOffGround)
        try form.optional("surface", &surface, .bytes(256))
        try form.optional("kerbMetres", &kerbMetres)
        try form.optional("automatic", &isAutomatic)
        try form.optional("steps", &steps, .within(0...100_000))
        try form.optional("leads", &leads)
        try form.optional("handrail", &handrail)
        try form.optional("doorKind", &doorKind)
        try form.optional("opens", &opens)
        try form.optional("glass", &isGlass)
        try form.optional("tactilePaving", &hasTactilePaving)
        try form.optional("openingHours", &openingHours)
    }
}

extension Ascent: WireMember {}
extension Handrail: WireMember {}
extension DoorKind: WireMember {}
extension DoorSwing: WireMember {}

extension ConnectionID: WireMember {}
extension ConnectionRecord.Kind: WireMember {}

extension ConnectionStop: WireObject {
    static var blank: Self { Self(floor: nil, point: [0, 0]) }

    mutating func members<Form: MemberForm & ~Copyable>(_ form: inout Form) throws(Form.Fault) {
        try form.optional("floor", &floor)
        try form.optional("room", &room)
        try form.point(&point)
    }
}
