import Events
import Geometry
internal import JSON
import Site

extension SurveyDiscard: WireObject {
    static var blank: Self {
        Self(floor: FloorID(""), outline: [], locations: [], before: Timestamp(microseconds: 0))
    }

    mutating func members<Form: MemberForm & ~Copyable>(_ form: inout Form) throws(Form.Fault) {
        try form.required("floor", &floor)
        try form.optional("outline", &outline)
        try form.optional("holes", &holes)
        try form.optional("locations", &locations)
        try form.required("before", &before)
    }
}

extension Timestamp: WireMember {
    init(reading value: WireValue, _ rule: MemberRule) throws(WireFault) {
        self = try value.time()
    }

    func write(to writer: inout JSONWriter) { writer.time(microseconds: microseconds) }
}
