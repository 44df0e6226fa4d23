public import Events

/// One instance of a booking, as a source of any kind gives it, before its places become rooms.
///
/// Its reader has cut the texts (`tidied`) and the people (`BookingLimits.people`), each once. An
/// event of a calendar may have ten thousand instances, which share them.
public struct FoundBooking: Hashable, Sendable {
    /// Tells the instance from all others of its feed, and stays when the instance moves: in a
    /// calendar its UID with its original start.
    public var key: String
    /// The places in the words of the source; empty where it names none.
    public var places: [String]
    public var starts: Timestamp
    public var ends: Timestamp
    /// Whether the source has dates and no times.
    public var isAllDay: Bool
    public var title: String
    /// The kind in the words of the source, such as "Practical".
    public var kind: String?
    /// Organisers, teachers and attendees.
    public var people: [String]
    public var isTentative: Bool
    public var isCancelled: Bool

    public init(
        key: String, places: [String], starts: Timestamp, ends: Timestamp,
        isAllDay: Bool = false, title: String, kind: String? = nil, people: [String] = [],
        isTentative: Bool = false, isCancelled: Bool = false
    ) {
        self.key = key
        self.places = places
        self.starts = starts
        self.ends = ends
        self.isAllDay = isAllDay
        self.title = title
        self.kind = kind
        self.people = people
        self.isTentative = isTentative
        self.isCancelled = isCancelled
    }
}

/// The limits of a booking's texts. Longer ones are cut, because the source can't be refused
/// for it and an event has a limit.
public enum BookingLimits {
    public static let textCharacters = 500
    public static let people = 100
    /// The rooms of one booking.
    public static let rooms = 200
}

/// Counts the bookings of a feed and the bytes of their texts, because a small answer may repeat
/// a booking many thousand times.
public struct FeedSize: Hashable, Sendable {
    /// Those of a campus of 200 rooms for a year, each an event.
    public static let mostBookings = 200_000
    /// Texts that bookings share count for each of them, since each becomes an event.
    private static let mostTextBytes = 64 << 20

    private var bookings = 0
    private var textBytes = 0

    public init() {}

    /// - Throws: a fault beyond one of the limits.
    public mutating func add(_ booking: FoundBooking) throws(FeedFault) {
        bookings += 1
        textBytes += booking.textBytes
        guard bookings <= Self.mostBookings else {
            throw FeedFault("it has more than \(Self.mostBookings) bookings")
        }
        guard textBytes <= Self.mostTextBytes else {
            throw FeedFault("the texts of its bookings have more than \(Self.mostTextBytes) bytes")
        }
    }
}

extension FoundBooking {
    fileprivate var textBytes: Int {
        (places + people).reduce(key.utf8.count + title.utf8.count + (kind ?? "").utf8.count) {
            $0 + $1.utf8.count
        }
    }
}

/// A text of a source for people. Control characters and line breaks become spaces, spaces in a row
/// become one, and a text that is too long is cut.
public func tidied(_ text: String, atMost limit: Int = BookingLimits.textCharacters) -> String {
    isTidy(text.utf8, atMost: limit) ? text : tidied(characters: text, atMost: limit)
}

/// Takes few characters after the limit, however many there are.
func tidied(characters: some Sequence<Character>, atMost limit: Int) -> String {
    var result = ""
    var isAfterSpace = true
    var left = limit
    for character in characters {
        // A character may have any number of marks.
        guard left > 0, result.utf8.count + character.utf8.count <= 4 * limit else { break }
        let isSpace = character.isWhitespace || hasControlCharacter(String(character))
        if isSpace && isAfterSpace { continue }
        result.append(isSpace ? " " : character)
        isAfterSpace = isSpace
        left -= 1
    }
    if isAfterSpace, !result.isEmpty { result.removeLast() }
    return result
}

/// Whether a text stays as it is. Most are of plain letters, and a feed has thousands.
private func isTidy(_ text: String.UTF8View, atMost limit: Int) -> Bool {
    guard text.count <= limit else { return false }
    var last: UInt8 = 0x20
    for byte in text {
        guard (0x20...0x7E).contains(byte), byte != 0x20 || last != 0x20 else { return false }
        last = byte
    }
    return last != 0x20 || text.isEmpty
}
