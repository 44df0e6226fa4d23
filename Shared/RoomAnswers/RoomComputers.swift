import Cryptography
import Events
import HTTP
import RoomAvailability
import Site
import TimetablePictures
import Timetables
import Wire

/// The answer about the free computers of a room.
enum RoomComputers {
    static func answer(
        _ asked: AskedRoom, _ counts: [ComputersCounted], language: String?, now: Timestamp
    ) -> HTTPResponse {
        let count = ComputerCount(counts)
        var clock = ""
        let zoneName = asked.index.timeZone(of: asked.room)
        if case .unknown(let since) = count.state {
            let zone = ZoneOffsets(system: zoneName, in: min(since, now)..<max(since, now))
            let local = zone.local(since)
            let isToday = local.day == zone.local(now).day
            let day = TimetableWords.words(in: language).day(local.day)
            clock = isToday ? local.clock : "\(day), \(local.clock)"
        }
        let json = AvailabilityDocument(
            at: asked.site, room: asked.room.id, count: count, words: .words(in: language),
            clock: clock, timeZone: zoneName
        ).json
        var response = HTTPResponse.json(json)
        response.headers.append(("etag", "\"\(sha256Hex(json).prefix(32))\""))
        response.headers.append(("cache-control", "private, max-age=30"))
        response.headers.append(("vary", "accept-language, authorization, cookie"))
        return response
    }
}
