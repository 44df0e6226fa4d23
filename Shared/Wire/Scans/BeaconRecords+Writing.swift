internal import Beacons
internal import Events
internal import JSON
internal import Site

extension BeaconMapRecord {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("width", width)
        writer.field("height", height)
        writer.field("unitsPerMetre", unitsPerMetre)
        writer.field("verticalAxis", verticalAxis.rawValue)
        writer.pair("origin", originX, originY)
        writer.endObject()
    }
}

/// A part of a beacon document that is written as one JSON object.
protocol BeaconDocumentPart {
    func write(to writer: inout JSONWriter)
}

extension BeaconGroupRecord: BeaconDocumentPart {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("name", name)
        writer.field("enabled", isEnabled)
        writer.field("ring", isRing)
        writer.list("beacons", beacons)
        writer.endObject()
    }
}

extension BeaconRecord: BeaconDocumentPart {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("major", major)
        writer.field("minor", minor)
        writer.field("name", name)
        writer.field("enabled", isEnabled)
        switch place {
        case .relative(let x, let y): writer.pair("relative", x, y)
        case .absolute(let x, let y): writer.pair("absolute", x, y)
        }
        writer.field("proximity", proximity)
        writer.endObject()
    }
}

extension JSONWriter {
    mutating func list(_ name: StaticString, _ parts: [some BeaconDocumentPart]) {
        self.name(name)
        beginArray()
        for part in parts { part.write(to: &self) }
        endArray()
    }

    mutating func field(_ name: StaticString, _ thresholds: ProximityThresholds?) {
        guard let thresholds else { return }
        self.name(name)
        beginObject()
        field("nearDecibels", thresholds.nearDecibels)
        field("farDecibels", thresholds.farDecibels)
        field("hysteresisDecibels", thresholds.hysteresisDecibels)
        endObject()
    }

    fileprivate mutating func pair(_ name: StaticString, _ x: Double, _ y: Double) {
        self.name(name)
        beginArray()
        number(x)
        number(y)
        endArray()
    }
}
