public import Beacons
internal import Events
internal import JSON
internal import Site

/// Beacons as one JSON document (docs/beacons.md).
///
/// Only the shape is checked here; the domain judges the figures. Unknown members are refused:
/// without its `minor`, a misspelt one, a beacon would fit every number.
extension BeaconDocument {
    /// Reads the contents of a file. Faults name the field, such as `groups[0].beacons[2].major`.
    public init(json bytes: [UInt8]) throws(WireFault) {
        guard bytes.count <= BeaconLimits.documentBytes else {
            throw WireFault(
                .bodyTooLarge, "send at most \(BeaconLimits.documentBytes) bytes")
        }
        self = try withJSON(bytes) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "a document of beacons is an object")
            }
            return try BeaconDocument(reading: FieldReader(object))
        }
    }

    /// Reads a file with one document, or a list of some.
    public static func list(json bytes: [UInt8]) throws(WireFault) -> [BeaconDocument] {
        guard bytes.count <= BeaconLimits.documentBytes else {
            throw WireFault(
                .bodyTooLarge, "send at most \(BeaconLimits.documentBytes) bytes")
        }
        return try withJSON(bytes) { (root) throws(WireFault) in
            if let object = root.object {
                return [try BeaconDocument(reading: FieldReader(object))]
            }
            return try WireValue(root).elements { (value) throws(WireFault) in
                try BeaconDocument(reading: FieldReader(value))
            }
        }
    }

    /// The only document as an object, or several as a list.
    public static func json(of documents: [BeaconDocument]) -> [UInt8] {
        guard documents.count != 1 else { return documents[0].json }
        return Array("[".utf8) + documents.map(\.json).joined(separator: Array(",\n".utf8))
            + Array("]\n".utf8)
    }

    /// The document as one JSON object.
    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 4_096)
        writer.beginObject()
        writer.field("name", name)
        writer.field("uuid", uuid)
        writer.field("floor", floor)
        writer.name("map")
        map.write(to: &writer)
        writer.field("batteryByte", batteryByte?.rawValue)
        writer.name("pathLoss")
        writer.beginObject()
        writer.field("exponent", pathLoss.exponent)
        writer.field("powerAtOneMetre", pathLoss.powerAtOneMetre)
        writer.endObject()
        writer.field("proximity", proximity)
        writer.list("groups", groups)
        writer.endObject()
        return writer.finish()
    }

    private init(reading fields: FieldReader) throws(WireFault) {
        try fields.object.checkMembers([
            "name", "uuid", "floor", "map", "batteryByte", "pathLoss", "proximity", "groups",
        ])
        self.init(
            name: try fields.required("name").text(),
            uuid: try fields.required("uuid").eventID(.uuidMalformed),
            floor: try fields.optional("floor")?.identifier(),
            map: try fields.required("map", beaconMap),
            batteryByte: try fields.optional("batteryByte")?.choice(),
            pathLoss: try fields.optional("pathLoss", beaconPathLoss) ?? PathLoss(),
            proximity: try fields.optional("proximity", thresholds) ?? ProximityThresholds(),
            groups: try fields.elements("groups", beaconGroup))
    }
}

private func beaconMap(_ value: WireValue) throws(WireFault) -> BeaconMapRecord {
    let fields = try FieldReader(value)
    try fields.object.checkMembers(["width", "height", "unitsPerMetre", "verticalAxis", "origin"])
    var origin = (x: 0.0, y: 0.0)
    if let given = try fields.optional("origin", pair) { origin = given }
    return BeaconMapRecord(
        width: try fields.required("width").number(),
        height: try fields.required("height").number(),
        unitsPerMetre: try fields.required("unitsPerMetre").number(),
        verticalAxis: try fields.optional("verticalAxis")?.choice() ?? .up,
        originX: origin.x, originY: origin.y)
}

private func beaconPathLoss(_ value: WireValue) throws(WireFault) -> PathLoss {
    let fields = try FieldReader(value)
    try fields.object.checkMembers(["exponent", "powerAtOneMetre"])
    return PathLoss(
        exponent: try fields.optional("exponent")?.number() ?? PathLoss().exponent,
        powerAtOneMetre: try fields.optional("powerAtOneMetre")?.number())
}

private func thresholds(_ value: WireValue) throws(WireFault) -> ProximityThresholds {
    let fields = try FieldReader(value)
    try fields.object.checkMembers(["nearDecibels", "farDecibels", "hysteresisDecibels"])
    let usual = ProximityThresholds()
    return ProximityThresholds(
        nearDecibels: try fields.required("nearDecibels").number(),
        farDecibels: try fields.required("farDecibels").number(),
        hysteresisDecibels: try fields.optional("hysteresisDecibels")?.number()
            ?? usual.hysteresisDecibels)
}

private func beaconGroup(_ value: WireValue) throws(WireFault) -> BeaconGroupRecord {
    let fields = try FieldReader(value)
    try fields.object.checkMembers(["id", "name", "enabled", "ring", "beacons"])
    return BeaconGroupRecord(
        id: try fields.required("id").identifier(),
        name: try fields.optional("name")?.text(),
        isEnabled: try fields.optional("enabled")?.bool() ?? true,
        isRing: try fields.optional("ring")?.bool() ?? false,
        beacons: try fields.elements("beacons", beacon))
}

private func beacon(_ value: WireValue) throws(WireFault) -> BeaconRecord {
    let fields = try FieldReader(value)
    try fields.object.checkMembers([
        "major", "minor", "name", "enabled", "relative", "absolute", "proximity",
    ])
    let place: BeaconPlace
    let relative = try fields.optional("relative", pair)
    switch (relative, try fields.optional("absolute", pair)) {
    case (let relative?, nil): place = .relative(x: relative.x, y: relative.y)
    case (nil, let absolute?): place = .absolute(x: absolute.x, y: absolute.y)
    case (nil, nil):
        throw WireFault(.placeMissing, "give the beacon a relative or an absolute place")
    default:
        throw WireFault(.placeMalformed, "give the beacon one place: relative or absolute")
    }
    return BeaconRecord(
        major: try fields.optional("major")?.unsignedWord(),
        minor: try fields.optional("minor")?.unsignedWord(),
        name: try fields.optional("name")?.text(),
        isEnabled: try fields.optional("enabled")?.bool() ?? true,
        place: place, proximity: try fields.optional("proximity", thresholds))
}

private func pair(_ value: WireValue) throws(WireFault) -> (x: Double, y: Double) {
    let numbers = try value.elements { (element) throws(WireFault) in try element.number() }
    guard numbers.count == 2 else {
        throw value.fault(.placeMalformed, "a place is two numbers: x and y")
    }
    return (numbers[0], numbers[1])
}

extension WireValue {
    fileprivate func unsignedWord() throws(WireFault) -> UInt16 {
        UInt16(try integer(in: 0...Int(UInt16.max)))
    }
}

extension FieldReader {
    /// Reads a member with `read`, if it is there. The path of a fault begins with the member's
    /// name.
    fileprivate func optional<Value>(
        _ name: StaticString, _ read: (WireValue) throws(WireFault) -> Value
    ) throws(WireFault) -> Value? {
        guard optional(name) != nil else { return nil }
        return try required(name, read)
    }
}
