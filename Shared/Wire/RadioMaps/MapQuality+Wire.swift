public import Events
import Geometry
import JSON
public import Magnetic
import Positioning
public import RadioMapCare
public import Site

/// Metres are written with two decimals, shares with four.
extension MapQuality {
    /// All floors as a JSON array.
    public var floorsJSON: String {
        text { writer in
            writer.beginArray()
            for floor in floors { floor.write(to: &writer) }
            writer.endArray()
        }
    }
}

extension MapQuality.Floor {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("floor", floor.text)
        writer.field("expectedError", expectedError, decimals: 2)
        writer.field("places", places)
        writer.field("weakPlaces", weakPlaces)
        writer.field("surveys", surveys)
        writer.field("readings", readings)
        writer.field("accessPoints", transmitters)
        writer.field("trials", trials)
        writer.field("medianError", median, decimals: 2)
        writer.field("p95Error", p95, decimals: 2)
        writer.array("locatedOn", locatedOn) { located, writer in
            writer.beginObject()
            writer.nullable("floor", located.floor?.text)
            writer.field("share", located.share, decimals: 4)
            writer.endObject()
        }
        writer.endObject()
    }
}

extension MapQuality.Place {
    public var json: String {
        text { writer in
            writer.beginObject()
            writer.field("place", name)
            writer.field("floor", floor.text)
            writer.field("room", room?.text)
            writer.field("x", point.x, decimals: 2)
            writer.field("y", point.y, decimals: 2)
            writer.field("surveys", surveys)
            writer.field("readings", readings)
            writer.field("accessPoints", transmitters)
            writer.field("expectedError", expectedError, decimals: 2)
            writer.field("floorHit", floorHit, decimals: 4)
            writer.array("weak", weaknesses.map(\.rawValue))
            writer.endObject()
        }
    }
}

extension SurveyCoach.Advice {
    public func json(at site: SiteIndex) -> String {
        text { writer in
            let place = site.frame.geographic(point)
            writer.beginObject()
            writer.field("floor", floor.text)
            writer.field("room", room?.text)
            writer.field("x", point.x, decimals: 2)
            writer.field("y", point.y, decimals: 2)
            writer.field("latitude", place.latitude, decimals: 8)
            writer.field("longitude", place.longitude, decimals: 8)
            writer.field("expectedError", expectedError, decimals: 2)
            writer.field("gainHere", gainHere, decimals: 2)
            writer.field("gain", gain, decimals: 4)
            writer.endObject()
        }
    }
}

extension ExpectedErrors {
    /// Points in metres with their errors, and places for beacons.
    public func json(at site: SiteIndex) -> String {
        text { writer in
            writer.beginObject()
            writer.field("floor", floor.text)
            writer.field("stepMetres", stepMetres, decimals: 2)
            writer.array("spots", spots) { spot, writer in
                writer.beginArray()
                writer.number(spot.point.x, decimals: 1)
                writer.number(spot.point.y, decimals: 1)
                writer.number(spot.error, decimals: 1)
                writer.endArray()
            }
            writer.array("beacons", beacons) { beacon, writer in
                let place = site.frame.geographic(beacon.point)
                writer.beginObject()
                writer.field("room", beacon.room?.text)
                writer.field("x", beacon.point.x, decimals: 2)
                writer.field("y", beacon.point.y, decimals: 2)
                writer.field("latitude", place.latitude, decimals: 8)
                writer.field("longitude", place.longitude, decimals: 8)
                writer.field("gain", beacon.gain, decimals: 2)
                writer.endObject()
            }
            writer.endObject()
        }
    }
}

extension TransmitterChange {
    public var json: String {
        text { writer in
            writer.beginObject()
            writeMembers(to: &writer)
            writer.endObject()
        }
    }

    func writeMembers(to writer: inout JSONWriter) {
        writer.field("kind", kind.rawValue)
        writer.field("since", microseconds: since.microseconds)
        writer.field("cellsLost", cellsLost)
        writer.field("cellsGained", cellsGained)
        writer.field("cellsAgreeing", cellsAgreeing)
        for (name, place) in [("before", before), ("after", after)] {
            guard let place else { continue }
            writer.name(name)
            writer.beginObject()
            writer.field("floor", place.floor.text)
            writer.field("x", place.point.x, decimals: 1)
            writer.field("y", place.point.y, decimals: 1)
            writer.endObject()
        }
    }
}

/// Answers made of the documents above.
public enum QualityAnswer {
    /// - Parameters:
    ///   - known: the stored quality of the newest map; nil while it is not computed.
    ///   - next: nil on the last page.
    public static func quality(
        of site: SiteID, _ known: (version: Int, positioner: String, floors: String)?,
        places: [String], next: String?
    ) -> [UInt8] {
        answer(of: site, version: known?.version, places: places) { writer in
            writer.field("positioner", known?.positioner)
            writer.name("floors")
            writer.raw(json: known?.floors ?? "[]")
        } end: {
            $0.next(next)
        }
    }

    /// - Parameters:
    ///   - disagreeing: places whose surveys and taps disagree, as JSON objects.
    ///   - changes: the changes of transmitters of all buildings, as a JSON array.
    ///   - expected: the expected errors of the one floor that is asked for, as a JSON object.
    public static func advice(
        of site: SiteID, version: Int?, places: [String], disagreeing: [String], changes: String,
        gaps: [MagneticGap], expected: String? = nil
    ) -> [UInt8] {
        answer(
            of: site, version: version, places: places, head: { _ in },
            end: { writer in
                writer.array("disagreeing", disagreeing) { $1.raw(json: $0) }
                writer.name("changes")
                writer.raw(json: changes)
                writer.array("magneticGaps", gaps) { gap, writer in
                    writer.beginObject()
                    writer.field("floor", gap.floor)
                    writer.field("room", gap.room)
                    writer.field("squareMetres", gap.squareMetres, decimals: 1)
                    writer.field("uncovered", gap.uncovered, decimals: 2)
                    writer.endObject()
                }
                if let expected {
                    writer.name("expected")
                    writer.raw(json: expected)
                }
            })
    }

    private static func answer(
        of site: SiteID, version: Int?, places: [String], head: (inout JSONWriter) -> Void,
        end: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 1_024 + places.count * 256)
        writer.beginObject()
        writer.field("site", site.text)
        writer.name("radioMapVersion")
        if let version { writer.integer(version) } else { writer.null() }
        head(&writer)
        writer.array("places", places) { $1.raw(json: $0) }
        end(&writer)
        writer.endObject()
        return writer.finish()
    }
}

private func text(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(capacity: 512)
    write(&writer)
    return writer.finishText()
}
