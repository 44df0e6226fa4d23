import Positioning

/// The comparison of a walk's published sides with the true ones.
struct DoorVerdict: CustomStringConvertible {
    static let leavingSeconds = 15.0
    static let enteringSeconds = 10.0
    /// Metres are hardly known to a few, so a change this long before the door is no flip.
    static let earlySeconds = 5.0

    var isRight = true
    /// The times from each passage of the door to the published change; nil where none came.
    var delays: [(isOutdoors: Bool, seconds: Double?)] = []
    /// Changes that no passage explains.
    var flips = 0

    /// - Parameter published: whether each step is published as outdoors; nil for a lost device.
    init(_ walk: DoorWalk, published: [Bool?]) {
        var changes: [(seconds: Double, isOutdoors: Bool)] = []
        var current: Bool?
        for (step, side) in zip(walk.steps, published) {
            guard let side else { continue }
            // A track that begins has as long as one that changes.
            if let before = current, before != side, step.seconds > Self.leavingSeconds {
                changes.append((step.seconds, side))
            }
            current = side
        }
        var explained = 0
        for (number, passage) in walk.passages.enumerated() {
            let next =
                number + 1 < walk.passages.count ? walk.passages[number + 1].seconds : .infinity
            let change = changes.first {
                $0.isOutdoors == passage.isOutdoors
                    && $0.seconds >= passage.seconds - Self.earlySeconds && $0.seconds < next
            }
            let delay = change.map { max(0, $0.seconds - passage.seconds) }
            delays.append((passage.isOutdoors, delay))
            if change != nil { explained += 1 }
            let limit = passage.isOutdoors ? Self.leavingSeconds : Self.enteringSeconds
            if delay.map({ $0 > limit }) ?? true { isRight = false }
        }
        flips = changes.count - explained
        if flips > 0 { isRight = false }
        // The side after the beginning has to be right, too.
        let first = zip(walk.steps, published).first { $0.0.seconds > Self.leavingSeconds }
        if let first, first.1 != first.0.isOutdoors { isRight = false }
    }

    var description: String {
        let delays = delays.map { delay in
            (delay.isOutdoors ? "out " : "in ")
                + (delay.seconds.map { "\(($0 * 10).rounded() / 10) s" } ?? "never")
        }
        return "\(isRight ? "right" : "wrong"), \(flips) flips, \(delays.joined(separator: ", "))"
    }
}
