import Events
import Timetables

@testable import TimetablePictures

/// A week in London, in which the clocks do not change, and another one in which they do.
enum PictureSamples {
    static let room = RoomID("7.01")
    static let week = ISOWeek(containing: LocalDay(number: 20_780))
    /// The clocks go back on Sunday 25 October 2026 at 01:00 UTC.
    static let change = Timestamp(milliseconds: 1_792_890_000_000)
    static let london = ZoneOffsets(
        name: "Europe/London", firstOffsetSeconds: 3_600,
        changes: [ZoneOffsets.Change(at: change, offsetSeconds: 0)])

    /// - Parameters:
    ///   - day: from Monday, 0.
    ///   - minutes: from midnight by the clock on the wall; may reach into later days.
    static func booking(
        _ number: Int, day: Int, _ minutes: Range<Int>, _ title: String,
        in week: ISOWeek = week, rooms: [String] = ["7.01"], kind: String? = nil,
        isAllDay: Bool = false, isTentative: Bool = false
    ) -> RoomBooking {
        func moment(_ minutes: Int) -> Timestamp {
            london.moment(
                LocalTime(
                    day: week.days[day].advanced(by: minutes / 1_440), minutes: minutes % 1_440))
        }
        return RoomBooking(
            site: SiteID("bush"), id: id(number), feed: FeedID("feed"),
            rooms: rooms.map { RoomID($0) }, starts: moment(minutes.lowerBound),
            ends: moment(minutes.upperBound), isAllDay: isAllDay, title: title, kind: kind,
            isTentative: isTentative)
    }

    static func id(_ number: Int) -> EventID {
        let digits = "00000000000\(number)".suffix(12)
        let text = Array("00000000-0000-5000-8000-\(digits)".utf8)
        guard let id = text.withUnsafeBufferPointer({ EventID(utf8: $0) }) else {
            preconditionFailure("an id of digits")
        }
        return id
    }

    static func picture(
        _ bookings: [RoomBooking], in week: ISOWeek = week, language: String = "en"
    ) -> WeekPicture {
        WeekPicture(
            WeekOfRoom(of: room, in: week, bookings, zone: london), name: "Laboratory 7.01",
            roomNames: [RoomID("7.02"): "Laboratory 7.02"], words: .words(in: language))
    }
}
