/// The ids of many scans as 64-bit hashes, with a 32-bit hash of each content.
///
/// It is a hash table with open addressing and linear probing. After `compact` it is four fifths
/// full, and an id takes 15 bytes. While it grows, an id takes up to twice that.
struct ScanIDTable: Sendable {
    /// Zero is an empty slot.
    private var ids: [UInt64] = []
    private var contents: [UInt32] = []
    private(set) var count = 0

    /// The table is full with so many fifths of its slots used.
    private static let fullFifths = 4
    private static let smallestSize = 64

    /// The bytes of its slots.
    var byteCount: Int { ids.capacity * 8 + contents.capacity * 4 }

    /// Where an id lies, as a part of the whole range of 64 bits. Swift's own hash is used, because
    /// senders do not know its seed. Otherwise they could choose ids that all fall into one slot.
    static func spread(_ id: UInt64) -> UInt64 { UInt64(truncatingIfNeeded: id.hashValue) }

    /// The hash of the content with which the id was put, if it was.
    ///
    /// - Parameter spread: `Self.spread(id)`, which is the same for all tables.
    func content(of id: UInt64, spread: UInt64) -> UInt32? {
        guard count > 0 else { return nil }
        var slot = Int(spread.multipliedFullWidth(by: UInt64(ids.count)).high)
        while ids[slot] != 0 {
            if ids[slot] == id { return contents[slot] }
            slot += 1
            if slot == ids.count { slot = 0 }
        }
        return nil
    }

    /// Puts an id that is not in the table and not zero.
    mutating func put(_ id: UInt64, _ content: UInt32) {
        if 5 * (count + 1) > Self.fullFifths * ids.count {
            resize(to: max(Self.smallestSize, 2 * ids.count))
        }
        place(id, content)
        count += 1
    }

    /// Gives the table the smallest size, for one that nothing is added to any more.
    mutating func compact() { resize(to: count == 0 ? 0 : 5 * count / Self.fullFifths + 1) }

    private mutating func resize(to size: Int) {
        let (oldIDs, oldContents) = (ids, contents)
        ids = Array(repeating: 0, count: size)
        contents = Array(repeating: 0, count: size)
        for (id, content) in zip(oldIDs, oldContents) where id != 0 { place(id, content) }
    }

    private mutating func place(_ id: UInt64, _ content: UInt32) {
        var slot = Int(Self.spread(id).multipliedFullWidth(by: UInt64(ids.count)).high)
        while ids[slot] != 0 {
            slot += 1
            if slot == ids.count { slot = 0 }
        }
        ids[slot] = id
        contents[slot] = content
    }
}
