public import Events
import JSON
public import Timetables

extension FeedReport {
    /// The report as it is stored.
    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writeMembers(to: &writer)
        writer.field("crowdedFrom", crowded?.begins)
        writer.field("crowdedUntil", crowded?.ends)
        writer.endObject()
        return writer.finish()
    }

    /// The report as an answer, with the age of the rows.
    public func json(at now: Timestamp) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writeMembers(to: &writer)
        writer.field("pausedUntil", pausedUntil)
        if let goodAt { writer.field("ageSeconds", max(0, now - goodAt) / 1_000_000) }
        writer.endObject()
        return writer.finish()
    }

    private func writeMembers(to writer: inout JSONWriter) {
        writer.field("fetchedAt", fetchedAt)
        writer.field("outcome", outcome?.rawValue)
        writer.field("goodAt", goodAt)
        writer.field("nextAt", nextAt)
        writer.field("failures", failures)
        writer.field("fault", fault)
        writer.field("path", path)
        writer.field("found", found)
        writer.field("coversFrom", coversFrom)
        writer.field("coversUntil", coversUntil)
        writer.array("leftOut", leftOut)
        writer.array("unmatched", unmatched.places) { place, writer in
            writer.beginObject()
            writer.field("place", place.text)
            writer.field("reason", place.reason.rawValue)
            writer.field("bookings", place.bookings)
            writer.endObject()
        }
        writer.field("unmatchedOtherBookings", unmatched.otherBookings)
        writer.field("bookingsWithoutPlace", unmatched.withoutPlace)
    }

    /// Reads a report that was stored.
    public init(json: [UInt8]) throws(WireFault) {
        self = try withJSON(json) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "a report is an object")
            }
            return try FeedReport(FieldReader(object))
        }
    }

    private init(_ fields: FieldReader) throws(WireFault) {
        self.init()
        fetchedAt = try fields.optional("fetchedAt")?.time()
        outcome = try fields.optional("outcome")?.choice()
        goodAt = try fields.optional("goodAt")?.time()
        nextAt = try fields.optional("nextAt")?.time()
        failures = try fields.required("failures").integer(in: 0...Int.max)
        fault = try fields.optional("fault")?.text()
        path = try fields.optional("path")?.text()
        found = try fields.required("found").integer(in: 0...Int.max)
        coversFrom = try fields.optional("coversFrom")?.time()
        coversUntil = try fields.optional("coversUntil")?.time()
        if let begins = try fields.optional("crowdedFrom")?.time(),
            let ends = try fields.optional("crowdedUntil")?.time()
        {
            crowded = CrowdedTime(begins: begins, ends: ends)
        }
        leftOut = try fields.elements("leftOut") { (text) throws(WireFault) in try text.text() }
        let places = try fields.elements("unmatched") { (value) throws(WireFault) in
            let place = try FieldReader(value)
            return UnmatchedPlaces.Place(
                text: try place.required("place").text(),
                reason: try place.required("reason").choice(),
                bookings: try place.required("bookings").integer(in: 0...Int.max))
        }
        unmatched = UnmatchedPlaces(
            places: places,
            otherBookings: try fields.required("unmatchedOtherBookings").integer(in: 0...Int.max),
            withoutPlace: try fields.required("bookingsWithoutPlace").integer(in: 0...Int.max))
    }
}
