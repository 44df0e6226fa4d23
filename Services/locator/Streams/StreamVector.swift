import EventLog

/// The progress of a stream: for each partition of its topic the next offset. It is the id of an
/// event, so a client that comes back misses nothing.
struct StreamVector: Hashable, Sendable {
    var offsets: [Int64]

    init(_ offsets: [Int64]) { self.offsets = offsets }

    /// Reads numbers with dots between them; nil for anything else.
    init?(_ text: String) {
        guard text.utf8.count <= 20_000 else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let offsets = parts.compactMap { Int64($0) }.filter { $0 >= 0 }
        guard offsets.count == parts.count else { return nil }
        self.offsets = offsets
    }

    var text: String { offsets.map(String.init).joined(separator: ".") }

    /// Whether it is at least as far as the other in every partition.
    func reaches(_ other: StreamVector) -> Bool {
        zip(offsets, other.offsets).allSatisfy { $0 >= $1 }
    }

    /// The greater offset of both in each partition.
    func joined(_ other: StreamVector) -> StreamVector {
        StreamVector(zip(offsets, other.offsets).map(max))
    }

    mutating func pass(_ partition: Int, _ offset: Int64) {
        guard offsets.indices.contains(partition) else { return }
        offsets[partition] = max(offsets[partition], offset)
    }
}
