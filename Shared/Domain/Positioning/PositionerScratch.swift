/// Memory that a positioner reuses from scan to scan. Only the positioner uses its content.
///
/// A caller keeps one for each positioner and each thread, so that scans allocate no memory. A copy
/// allocates memory of its own when it is used.
public struct PositionerScratch: Sendable {
    private var holder: ScratchHolder?

    public init() {}

    /// Calls the body with the memory of this type. The memory is new if the scratch is new, was
    /// copied, or was used by another type of positioner. Otherwise it is as the last call left it.
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

    /// The weighted places of the last scan; empty for a positioner without candidates.
    var candidates: [Candidate] { holder?.candidates ?? [] }
}

/// Memory that keeps the places where the last scan may have been made.
protocol CandidateMemory: Sendable {
    init()
    var candidates: [Candidate] { get set }
}

/// Safe to send: only the one scratch that refers to it uses it.
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
