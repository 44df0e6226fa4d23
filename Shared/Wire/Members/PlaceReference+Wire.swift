import Events
internal import JSON
import Site

/// An object with one member, whose name is the kind: `{"room": "S6.01"}`.
extension PlaceReference: WireMember {
    init(reading value: WireValue, _ rule: MemberRule = .any) throws(WireFault) {
        self = try value.inside { (value) throws(WireFault) in
            let fields = try FieldReader(value)
            var places: [PlaceReference] = []
            if let id = fields.optional("building") {
                places.append(.building(try id.identifier()))
            }
            if let id = fields.optional("floor") { places.append(.floor(try id.identifier())) }
            if let id = fields.optional("room") { places.append(.room(try id.identifier())) }
            if let id = fields.optional("location") {
                places.append(.location(try id.identifier()))
            }
            if let id = fields.optional("zone") { places.append(.zone(try id.identifier())) }
            guard places.count == 1 else {
                throw value.fault(
                    .fieldOutOfRange, "a place is one of building, floor, room, location, zone")
            }
            return places[0]
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        switch self {
        case .building(let id): writer.field("building", id)
        case .floor(let id): writer.field("floor", id)
        case .room(let id): writer.field("room", id)
        case .location(let id): writer.field("location", id)
        case .zone(let id): writer.field("zone", id)
        }
        writer.endObject()
    }
}
