import Events

/// A hash table of scan ids with open addressing. It allocates its memory once and is emptied
/// without touching it.
///
/// Every scan goes through it; a dictionary would cost several times as much.
struct ScanGeneration {
    struct Entry {
        var id = EventID(high: 0, low: 0)
        var contentHash: UInt64 = 0
        /// The round in which this place was filled. A place of an earlier round counts as empty.
        var round: UInt32 = 0
        var isAcknowledged = false
        /// The id is gone, but its place does not count as empty: a search would stop there and
        /// miss ids behind it.
        var isForgotten = false
    }

    private let limit: Int
    private var entries: [Entry]
    private var round: UInt32 = 1
    /// Places in use, with those of forgotten ids.
    private var count = 0
    /// Random seeds that senders can't guess. Otherwise they could choose ids that all fall into
    /// one place.
    private let seeds = (
        UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max)
    )

    /// - Parameter limit: the most ids it holds, at least one.
    init(limit: Int) {
        self.limit = max(1, limit)
        // At most half of the places are in use, so that a search ends soon.
        var places = 2
        while places < 2 * self.limit { places *= 2 }
        entries = Array(repeating: Entry(), count: places)
    }

    var isFull: Bool { count >= limit }

    subscript(id: EventID) -> Entry? {
        let place = place(of: id)
        let entry = entries[place]
        return entry.round == round && !entry.isForgotten ? entry : nil
    }

    /// Adds an id that is not there yet. The table must not be full.
    mutating func insert(_ id: EventID, contentHash: UInt64) {
        let place = place(of: id)
        if entries[place].round != round {
            precondition(!isFull, "a full generation has no room")
            count += 1
        }
        entries[place] = Entry(id: id, contentHash: contentHash, round: round)
    }

    /// Marks the id as acknowledged; false if it is not there.
    mutating func acknowledge(_ id: EventID) -> Bool {
        let place = place(of: id)
        guard entries[place].round == round, !entries[place].isForgotten else { return false }
        entries[place].isAcknowledged = true
        return true
    }

    mutating func forgetUnacknowledged(_ id: EventID) {
        let place = place(of: id)
        guard entries[place].round == round, !entries[place].isAcknowledged else { return }
        entries[place].isForgotten = true
    }

    mutating func removeAll() {
        count = 0
        round &+= 1
        // The counter wraps after 2^32 rounds, and places of the first round would count as filled.
        if round == 0 {
            entries = Array(repeating: Entry(), count: entries.count)
            round = 1
        }
    }

    /// The index of the id, or of the empty place where it belongs.
    private func place(of id: EventID) -> Int {
        let mask = entries.count - 1
        // The two halves of the product are combined, which mixes well, as in wyhash.
        let product = (id.low ^ seeds.0).multipliedFullWidth(by: id.high ^ seeds.1)
        var place = Int(truncatingIfNeeded: product.high ^ product.low) & mask
        while entries[place].round == round, entries[place].id != id { place = (place + 1) & mask }
        return place
    }
}
