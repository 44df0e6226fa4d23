import Events
import Geometry
public import JSON
public import Site

extension FloorPlanRecord: SiteRecordObject {
    static var blank: Self {
        Self(
            id: FloorPlanID(""), floor: FloorID(""), image: .blank, widthPixels: 1,
            heightPixels: 1, alignment: .pairs([]))
    }

    static var answered: Set<String> { ["residualMetres"] }

    mutating func members<Form: MemberForm & ~Copyable>(_ form: inout Form) throws(Form.Fault) {
        try form.required("id", &id)
        try form.required("floor", &floor)
        try form.required("image", &image)
        try form.required("widthPixels", &widthPixels, .within(1...1_000_000))
        try form.required("heightPixels", &heightPixels, .within(1...1_000_000))
        try form.required("alignment", &alignment)
    }

    /// Adds the root mean square distance between the plan's pairs of points.
    public func writeAnswer(to writer: inout JSONWriter, in document: SiteDocument) {
        let transform = try? PlanTransform(
            alignment, widthPixels: widthPixels, heightPixels: heightPixels,
            siteBearingDegrees: document.bearingDegrees)
        writer.beginObject()
        writeMembers(to: &writer)
        writer.field("residualMetres", transform?.residualMetres, decimals: 4)
        writer.endObject()
    }
}

extension FloorPlanID: WireMember {}

/// `{"pairs": …}`, `{"corners": …}`, or `{"x", "y", "metresPerPixel", "bearingDegrees"}`.
extension PlanAlignment: WireMember {
    init(reading value: WireValue, _ rule: MemberRule) throws(WireFault) {
        self = try value.inside { (value) throws(WireFault) in
            let fields = try FieldReader(value)
            if let pairs = fields.optional("pairs") {
                return .pairs(try [PixelPair](reading: pairs, .any))
            } else if let corners = fields.optional("corners") {
                return .corners(try [Point](reading: corners, .any))
            }
            return .placed(
                centre: Point(
                    x: try fields.required("x").coordinate(),
                    y: try fields.required("y").coordinate()),
                metresPerPixel: try fields.required("metresPerPixel").number(in: 1e-6...1e6),
                bearingDegrees: try fields.required("bearingDegrees").number(in: -360...360))
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        switch self {
        case .pairs(let pairs):
            writer.name("pairs")
            pairs.write(to: &writer)
        case .corners(let corners):
            writer.name("corners")
            corners.write(to: &writer)
        case .placed(let centre, let metresPerPixel, let bearingDegrees):
            writer.field("x", centre.x)
            writer.field("y", centre.y)
            writer.field("metresPerPixel", metresPerPixel)
            writer.field("bearingDegrees", bearingDegrees)
        }
        writer.endObject()
    }
}

extension PixelPair: WireObject {
    static var blank: Self { Self(column: 0, row: 0, point: [0, 0]) }

    mutating func members<Form: MemberForm & ~Copyable>(_ form: inout Form) throws(Form.Fault) {
        try form.required("column", &column, .coordinate)
        try form.required("row", &row, .coordinate)
        try form.point(&point)
    }
}
