/// The air pressures that a device would have on its building's ground floor, as heights.
///
/// An air pressure says nothing of the floor, since weather changes it as much as ten floors do.
/// So each floor with a belief has a reference: the air pressure of the ground floor, if the person
/// is on this floor. While several floors are believed in, each explains the same air pressures by
/// a reference of its own. A change of the floor then shows as a change against the reference.
///
/// A reference follows the air pressure slowly, and so the weather. The difference from one scan to
/// the next would not do in its place. Stairs take several scans, and each of them is nearer to no
/// change than to a whole floor.
struct TrackPressure: Hashable, Sendable {
    struct Reference: Hashable, Sendable {
        /// An index of the graph's floors.
        var floor: Int32
        var metres: Float
    }

    /// The largest number of floors with a reference.
    static let most = 8
    /// The count that marks the bytes of pressures between those of floors. No floor has as many
    /// beliefs.
    static let mark: UInt64 = 0xFFFF
    /// References that have met no air pressure for this long are forgotten.
    static let longestSeconds = 900.0
    /// Centimetres that are added to heights, so that none is negative.
    private static let offset: Float = 2_000_000

    /// The time of the last air pressure, in microseconds UTC.
    var at: Int64 = 0
    /// The floor with the largest belief comes first.
    var references: [Reference] = []

    init(at: Int64 = 0, references: [Reference] = []) {
        self.at = at
        self.references = references
    }

    /// The reference for a floor's belief. A floor without one was reached since the last one,
    /// most likely from the one with the largest belief.
    func reference(of floor: Int) -> Float? {
        (references.first { Int($0.floor) == floor } ?? references.first)?.metres
    }

    // MARK: Bytes

    /// Appends the age in milliseconds, the mark, the number of references, and for each the hash
    /// of its floor and its centimetres. Without references it appends nothing.
    func append(to bytes: inout [UInt8], at now: Int64, graph: WalkableGraph) {
        guard !references.isEmpty else { return }
        let (age, isPast) = now.subtractingReportingOverflow(at)
        append(UInt64(isPast ? 0 : max(0, min(age / 1_000, Int64(UInt32.max)))), 4, &bytes)
        append(Self.mark, 2, &bytes)
        bytes.append(UInt8(references.count))
        for reference in references {
            append(UInt64(graph.floorHashes[Int(reference.floor)]), 4, &bytes)
            let centimetres = (reference.metres * 100).rounded() + Self.offset
            append(UInt64(max(0, min(centimetres, 2 * Self.offset))), 4, &bytes)
        }
    }

    /// Reads what follows the mark. References of floors that are gone are left out.
    ///
    /// - Parameter now: the time of the state, in microseconds UTC.
    init?(_ bytes: inout ArraySlice<UInt8>, age: UInt64, at now: Int64, graph: WalkableGraph) {
        guard let count = bytes.popFirst(), count <= Self.most else { return nil }
        at = now.subtractingReportingOverflow(Int64(age) * 1_000).partialValue
        for _ in 0..<count {
            guard let hash = Self.word(&bytes), let height = Self.word(&bytes) else { return nil }
            guard let floor = graph.floorHashes.firstIndex(of: hash) else { continue }
            references.append(
                Reference(
                    floor: Int32(floor), metres: (Float(height) - Self.offset) / 100))
        }
    }

    private func append(_ word: UInt64, _ count: Int, _ bytes: inout [UInt8]) {
        for shift in 0..<count {
            bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * shift)))
        }
    }

    private static func word(_ bytes: inout ArraySlice<UInt8>) -> UInt32? {
        guard bytes.count >= 4 else { return nil }
        var word: UInt32 = 0
        for shift in 0..<UInt32(4) { word |= UInt32(bytes.removeFirst()) << (8 * shift) }
        return word
    }
}
