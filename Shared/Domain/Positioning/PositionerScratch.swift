/// Memory that a positioner reuses from scan to scan. Its content is the positioner's own affair.
///
/// A caller keeps one for each positioner and each thread that works, so that no scan allocates it
/// again. A copy gets memory of its own when it is used.
public struct PositionerScratch: Sendable {
    private var holder: ScratchHolder?

    public init() {}

    /// Lends the memory of this kind. It is made where the scratch was new, copied, or used by a
    /// positioner of another kind; else it is as it was left.
    public mutating func use<Memory: Sendable, Answer>(
        _ fresh: @autoclosure () -> Memory, _ body: (inout Memory) -> Answer
    ) -> Answer {
        if isKnownUniquelyReferenced(&holder), let box = holder as? ScratchBox<Memory> {
            return body(&box.memory)
        }
        let box = ScratchBox(fresh())
        holder = box
        return body(&box.memory)
    }

    /// The weighted places of the last scan; empty for a positioner that weighs none.
    var candidates: [Candidate] { holder?.candidates ?? [] }
}

/// Memory that keeps the places which the last scan may have been made at.
protocol CandidateMemory: Sendable {
    init()
    var candidates: [Candidate] { get set }
}

/// Safe to send: only the scratch that alone refers to it uses it.
private class ScratchHolder: @unchecked Sendable {
    var candidates: [Candidate] { [] }
}

private final class ScratchBox<Memory: Sendable>: ScratchHolder, @unchecked Sendable {
    var memory: Memory

    init(_ memory: Memory) { self.memory = memory }

    override var candidates: [Candidate] {
        (memory as? any CandidateMemory)?.candidates ?? []
    }
}
