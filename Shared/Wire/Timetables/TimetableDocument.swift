public import Events
import JSON
public import TimetablePictures
import Timetables

/// A room's week as JSON: times in UTC, with the zone named and the local dates beside them.
public struct TimetableDocument {
    private let site: SiteID
    private let picture: WeekPicture
    private let asOf: Timestamp?

    /// - Parameters:
    ///   - picture: the week, with the names of rooms and the language.
    ///   - asOf: the last time at which the source was read; nil where there is no source.
    public init(at site: SiteID, picture: WeekPicture, asOf: Timestamp?) {
        self.site = site
        self.picture = picture
        self.asOf = asOf
    }

    public var json: [UInt8] {
        let week = picture.week
        var writer = JSONWriter(capacity: 4_096)
        writer.beginObject()
        writer.field("site", site.text)
        writer.field("room", week.room.text)
        writer.field("name", picture.name)
        writer.field("language", picture.words.code)
        writer.field("week", week.week.text)
        writer.field("previousWeek", week.week.advanced(by: -1).text)
        writer.field("nextWeek", week.week.advanced(by: 1).text)
        writer.field("timeZone", week.zone.name)
        writer.field("known", picture.isKnown)
        writer.field("asOf", microseconds: asOf?.microseconds)
        writer.field("old", picture.oldSince != nil)
        writer.field("text", picture.emptiness ?? picture.missingPart)
        writer.name("days")
        writer.beginArray()
        for day in week.days {
            writer.beginObject()
            writer.field("date", day.day.text)
            writer.field("from", microseconds: day.moments.lowerBound.microseconds)
            writer.field("until", microseconds: day.moments.upperBound.microseconds)
            writer.endObject()
        }
        writer.endArray()
        writer.name("bookings")
        writer.beginArray()
        for shown in week.bookings { write(shown, to: &writer) }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }

    private func write(_ shown: WeekOfRoom.Booking, to writer: inout JSONWriter) {
        let booking = shown.booking
        writer.beginObject()
        writer.field("id", "\(booking.id)")
        writer.field("title", booking.title)
        writer.field("kind", booking.kind)
        writer.name("rooms")
        writer.beginArray()
        for room in booking.rooms {
            writer.beginObject()
            writer.field("room", room.text)
            writer.field("name", picture.roomName(room))
            writer.endObject()
        }
        writer.endArray()
        writer.field("starts", microseconds: booking.starts.microseconds)
        writer.field("ends", microseconds: booking.ends.microseconds)
        writer.field("startDate", shown.starts.day.text)
        writer.field("startTime", shown.starts.clock)
        writer.field("endDate", shown.ends.day.text)
        writer.field("endTime", shown.ends.clock)
        writer.field("allDay", booking.isAllDay)
        writer.field("tentative", booking.isTentative)
        if !booking.people.isEmpty {
            writer.name("people")
            writer.beginArray()
            for person in booking.people { writer.string(person) }
            writer.endArray()
        }
        writer.field("feed", booking.feed.text)
        writer.endObject()
    }
}
