/// The belief in each of the few rooms that have some. A campus may have ten thousand others.
struct RoomShares: Sendable {
    /// The index of a room, -1 for the cells outside of every room, and its share.
    typealias Entry = (room: Int32, share: Double)

    /// Each room once, in the order in which they were added.
    private(set) var entries: [Entry] = []
    /// The entry of the last room. Beliefs in one room mostly follow each other.
    private var last = 0

    mutating func add(_ share: Double, in room: Int32) {
        if !entries.indices.contains(last) || entries[last].room != room {
            last = entries.firstIndex { $0.room == room } ?? entries.count
            if last == entries.count { entries.append((room, 0)) }
        }
        entries[last].share += share
    }

    /// Divides all shares, so that they sum up to 1.
    mutating func divide(by total: Double) {
        for index in entries.indices where entries[index].share > 0 {
            entries[index].share /= total
        }
    }

    subscript(room: Int32) -> Double {
        entries.first { $0.room == room }?.share ?? 0
    }

    /// The largest share, the lowest room of several; nil where no room has any.
    var best: Entry? {
        let best = entries.max { ($0.share, $1.room) < ($1.share, $0.room) }
        return best.flatMap { $0.share > 0 ? $0 : nil }
    }
}
