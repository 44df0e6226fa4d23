import Events

/// Ids with what is known of them: a hash table with open addressing whose memory is taken at once
/// and which is emptied without touching it. It stands on the path of every scan, where a
/// dictionary costs several times as much.
struct ScanGeneration {
    struct Entry {
        var id = EventID(high: 0, low: 0)
        var contentHash: UInt64 = 0
        /// Of the round in which it was written; of an earlier one it counts as empty.
        var round: UInt32 = 0
        var isAcknowledged = false
        /// Its place can't be empty again, or ids behind it would not be found.
        var isForgotten = false
    }

    private let limit: Int
    private var entries: [Entry]
    private var round: UInt32 = 1
    /// Places in use, forgotten ones too.
    private var count = 0
    /// Unknown to senders, who could otherwise choose ids that all fall into one place.
    private let seeds = (
        UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max)
    )

    /// - Parameter limit: ids at most, at least one.
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

    /// Adds an id that is not there. There must be room.
    mutating func insert(_ id: EventID, contentHash: UInt64) {
        let place = place(of: id)
        if entries[place].round != round {
            precondition(!isFull, "a full generation takes nothing")
            count += 1
        }
        entries[place] = Entry(id: id, contentHash: contentHash, round: round)
    }

    /// True if the id is there.
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
        // Once in 2^32 rounds what is left of the first one would come back.
        if round == 0 {
            entries = Array(repeating: Entry(), count: entries.count)
            round = 1
        }
    }

    /// Where the id is, or the empty place where it would go.
    private func place(of id: EventID) -> Int {
        let mask = entries.count - 1
        // Folding a product mixes well, as in wyhash.
        let product = (id.low ^ seeds.0).multipliedFullWidth(by: id.high ^ seeds.1)
        var place = Int(truncatingIfNeeded: product.high ^ product.low) & mask
        while entries[place].round == round, entries[place].id != id { place = (place + 1) & mask }
        return place
    }
}
