import Calendars
import Cryptography
import Events
public import HTTP
import Pictures
public import ServiceHost
import Site
import Threads
import TimetablePictures
import Timetables
import Wire

/// A room's week, and its free computers.
public struct TimetableRoutes: Sendable {
    private static let minuteMicroseconds: Int64 = 60_000_000
    private static let weekMicroseconds: Int64 = 7 * 86_400_000_000

    private let sites: SiteDirectory
    private let schedules: RecentSchedules
    private let clock: EventClock
    /// Drawing takes some hundred milliseconds, which would hold up the pool that answers requests.
    private let drawing = LongWork("week-pictures")
    /// Twenty drawings wait at most, and ten of one caller.
    private let turns = Turns(atOnce: 2, ofOneAtOnce: 1, waiting: 20, ofOneWaiting: 10)
    /// The files by the SHA-256 of what they show, so none is ever out of date.
    private let pictures = RecentValues<String, [UInt8]>(
        keptSeconds: 600, mostEntries: 500, mostWeight: 16 << 20, weigh: { $0.count })

    public init(sites: SiteDirectory, schedules: any RoomSchedules, clock: EventClock) {
        self.sites = sites
        self.schedules = RecentSchedules(schedules, clock: clock)
        self.clock = clock
    }

    public var all: [Route] {
        [
            Route(
                .get, "/v1/sites/{site}/rooms/{id}/timetable",
                handler: .task { try await timetable($0) }),
            Route(
                .get, "/v1/sites/{site}/rooms/{id}/availability",
                handler: .task { try await availability($0) }),
        ]
    }

    private func timetable(_ request: HTTPRequest) async throws -> HTTPResponse {
        let asked = try AskedRoom(request, sites)
        let format = try request.accepted(WeekFormat.self, "Timetables")
        let language = try request.readersLanguage()
        let now = clock.now
        let week = try Self.week(request, now, asked)
        let (known, picture) = try await picture(of: asked, week, language, now, for: request)
        let file: [UInt8]
        switch format {
        case .json:
            file = TimetableDocument(at: asked.site, picture: picture, asOf: known?.asOf).json
        case .calendar:
            file = Array(try Self.calendar(picture, known, asked.name(in: language)).utf8)
        case .svg: file = Array(picture.svg().utf8)
        case .png: file = try await png(picture, for: request.nameOfTurn)
        }
        let tag = "\"\(sha256Hex(file).prefix(32))\""
        return HTTPResponse(
            headers: [
                ("etag", tag), ("cache-control", "private, max-age=60"),
                ("vary", "accept, accept-language, authorization, cookie"),
                ("content-type", format.rawValue),
                ("x-content-type-options", "nosniff"),
                (
                    "content-security-policy",
                    "default-src 'none'; style-src 'unsafe-inline'; sandbox"
                ),
            ], body: .bytes(file)
        ).revalidated(for: request)
    }

    private func picture(
        of asked: AskedRoom, _ week: ISOWeek, _ language: String?, _ now: Timestamp,
        for request: HTTPRequest
    ) async throws -> (KnownSchedule?, WeekPicture) {
        // Zones are up to 14 hours off, so a day more on either side is enough.
        let midnight = Timestamp(
            milliseconds: Int64(week.monday.number) * 86_400_000)
        let period =
            midnight.advanced(
                byMicroseconds: -86_400_000_000)..<midnight.advanced(
                byMicroseconds: Self.weekMicroseconds + 86_400_000_000)
        let zone = ZoneOffsets(system: asked.index.timeZone(of: asked.room), in: period)
        var known =
            asked.showsTimetable
            ? try await schedules.schedules(
                of: [asked.room.id], at: asked.site, in: period, for: request.nameOfTurn
            )[asked.room.id] : nil
        let bookings = (known?.bookings ?? []).map { booking in
            booking.seen(by: asked.reader, in: asked.room.id) { asked.index.roomIndex($0) != nil }
        }
        known?.bookings = bookings
        let shown = WeekOfRoom(of: asked.room.id, in: week, known?.bookings ?? [], zone: zone)
        let names = asked.names(
            of: Set(shown.bookings.flatMap(\.booking.rooms)), in: language, for: request)
        // The mark of now moves once a minute, so that the picture's tag stays for as long.
        let minute = now.microseconds / Self.minuteMicroseconds * Self.minuteMicroseconds
        return (
            known,
            WeekPicture(
                shown, name: asked.name(in: language), place: asked.place(in: language),
                roomNames: names,
                isKnown: known.map {
                    $0.isComplete && $0.covers(shown.moments)
                        && TimetableHorizon.answered(at: now).holds(shown.moments)
                } ?? false,
                oldSince: known.flatMap { $0.isOld ? $0.asOf : nil },
                now: Timestamp(microseconds: minute), words: .words(in: language))
        )
    }

    /// `?week=2026-W48`, or the week that it is in the building.
    private static func week(
        _ request: HTTPRequest, _ now: Timestamp, _ asked: AskedRoom
    ) throws(Problem) -> ISOWeek {
        guard let text = request.firstQuery("week") else {
            let zone = ZoneOffsets(
                system: asked.index.timeZone(of: asked.room), in: now..<now)
            return ISOWeek(containing: zone.local(now).day)
        }
        guard let week = ISOWeek(text: text) else {
            throw Problem(.timeMalformed, "week is a week of ISO 8601, such as 2026-W48.")
        }
        return week
    }

    private static func calendar(
        _ picture: WeekPicture, _ known: KnownSchedule?, _ name: String
    ) throws -> String {
        let instances = picture.week.bookings.map { shown in
            let booking = shown.booking
            return CalendarInstance(
                uid: "\(booking.id)", recurrence: "",
                startMicroseconds: booking.starts.microseconds,
                endMicroseconds: booking.ends.microseconds, isAllDay: booking.isAllDay,
                summary: booking.title,
                location: booking.rooms.map { picture.roomName($0) }.joined(separator: ", "),
                status: booking.isTentative ? .tentative : .confirmed)
        }
        return try CalendarWriter.text(
            of: instances, product: "-//Whereabouts//Rooms//EN",
            stampMicroseconds: known?.asOf.microseconds ?? 0, zone: picture.week.zone.name)
    }

    /// - Throws: a `Problem` with Retry-After where too many drawings wait.
    private func png(_ picture: WeekPicture, for caller: String) async throws -> [UInt8] {
        let svg = Array(picture.svg().utf8)
        return try await pictures.value(
            of: sha256Hex(svg), clock: clock, turns: turns, caller: caller
        ) { [drawing] in
            let drawn = await drawing.run { () -> [UInt8]? in
                try? PNGPicture.png(svg: svg, widthPixels: Int(WeekPicture.widthPixels))
            }
            guard let file = drawn ?? nil else {
                throw Problem(.internalError, "The picture can't be drawn.")
            }
            return file
        }
    }

    private func availability(_ request: HTTPRequest) async throws -> HTTPResponse {
        let asked = try AskedRoom(request, sites)
        let language = try request.readersLanguage()
        let counts = try await schedules.counts(
            of: [asked.room.id], at: asked.site, for: request.nameOfTurn)
        return RoomComputers.answer(
            asked, counts[asked.room.id] ?? [], language: language, now: clock.now
        ).revalidated(for: request)
    }
}

/// The format of a week, chosen by the request's Accept.
enum WeekFormat: String, CaseIterable {
    case json = "application/json"
    case png = "image/png"
    case svg = "image/svg+xml"
    case calendar = "text/calendar"
}
