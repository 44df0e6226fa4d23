public import Events
import JSON
public import RoomAvailability

/// The free computers of a room as JSON. `available` is absent where the number is unknown.
public struct AvailabilityDocument {
    private let site: SiteID
    private let room: RoomID
    private let count: ComputerCount
    private let words: AvailabilityWords
    private let clock: String
    private let timeZone: String

    /// - Parameters:
    ///   - clock: the time of `count.state` if it is unknown, as the building's clocks show it.
    ///   - timeZone: the building's IANA zone.
    public init(
        at site: SiteID, room: RoomID, count: ComputerCount, words: AvailabilityWords,
        clock: String, timeZone: String
    ) {
        self.site = site
        self.room = room
        self.count = count
        self.words = words
        self.clock = clock
        self.timeZone = timeZone
    }

    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        writer.field("site", site.text)
        writer.field("room", room.text)
        writer.field("language", words.code)
        writer.field("timeZone", timeZone)
        count.writeMembers(to: &writer)
        writer.field("text", words.sentence(count, clock: clock))
        writer.endObject()
        return writer.finish()
    }
}

extension ComputerCount {
    func writeMembers(to writer: inout JSONWriter) {
        switch state {
        case .notCounted: writer.field("state", "not-counted")
        case .unknown(let since):
            writer.field("state", "unknown")
            writer.field("unknownSince", microseconds: since.microseconds)
        case .noneFree: writer.field("state", "none-free")
        case .free: writer.field("state", "free")
        }
        writer.field("available", available)
        writer.field("total", total)
        writer.field("asOf", microseconds: asOf?.microseconds)
        writer.name("source")
        writer.beginArray()
        for feed in sources { writer.string(feed.text) }
        writer.endArray()
    }
}
