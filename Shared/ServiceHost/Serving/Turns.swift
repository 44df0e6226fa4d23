import HTTP
import Synchronization
import Wire

/// Lets a few callers work at a time, and fewer turns for one caller. The others wait in the order
/// in which they came.
public final class Turns: Sendable {
    /// A turn of one caller. It ends at the latest when the object is released.
    public final class Turn: Sendable {
        private let turns: Turns
        private let name: String
        private let hasEnded = Atomic(false)

        fileprivate init(_ turns: Turns, _ name: String) {
            self.turns = turns
            self.name = name
        }

        deinit { end() }

        public func end() {
            guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
            turns.ended(name)
        }
    }

    private struct Waiting {
        var number: Int
        var name: String
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var running = 0
        var runningByName: [String: Int] = [:]
        var waitingByName: [String: Int] = [:]
        var waiting: [Waiting] = []
        var count = 0
    }

    private let atOnce: Int
    private let ofOneAtOnce: Int
    private let waiting: Int
    private let ofOneWaiting: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - atOnce: the most turns at a time.
    ///   - ofOneAtOnce: the most turns of one caller at a time.
    ///   - waiting: the most callers that wait; more are refused.
    ///   - ofOneWaiting: the most waiting turns of one caller; nil for no limit of its own.
    public init(atOnce: Int, ofOneAtOnce: Int, waiting: Int, ofOneWaiting: Int? = nil) {
        self.atOnce = max(1, atOnce)
        self.ofOneAtOnce = max(1, ofOneAtOnce)
        self.waiting = max(0, waiting)
        self.ofOneWaiting = ofOneWaiting ?? waiting
    }

    /// Waits for a turn.
    ///
    /// - Throws: a `Problem` when too many wait, and `CancellationError` when the task is
    ///   cancelled.
    public func acquire(for name: String) async throws -> Turn {
        let isFree = state.withLock { state in
            guard hasRoom(for: name, state) else { return false }
            begin(name, &state)
            return true
        }
        return isFree ? Turn(self, name) : try await waitedFor(name)
    }

    private func waitedFor(_ name: String) async throws -> Turn {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        let isMine = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    if hasRoom(for: name, state) {
                        begin(name, &state)
                        return true
                    }
                    let own = state.waitingByName[name] ?? 0
                    guard state.waiting.count < waiting, own < ofOneWaiting else { return false }
                    state.waitingByName[name] = own + 1
                    state.waiting.append(
                        Waiting(number: number, name: name, continuation: continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            giveUp(number)
        }
        guard isMine else {
            try Task.checkCancellation()
            throw Problem(
                .tooManyAtOnce,
                "Too many requests of this kind are running or waiting; send again.",
                retryAfterSeconds: 1)
        }
        return Turn(self, name)
    }

    private func hasRoom(for name: String, _ state: State) -> Bool {
        state.running < atOnce && state.runningByName[name] ?? 0 < ofOneAtOnce
    }

    private func begin(_ name: String, _ state: inout State) {
        state.running += 1
        state.runningByName[name, default: 0] += 1
    }

    private func ended(_ name: String) {
        let next = state.withLock { state -> Waiting? in
            state.running -= 1
            Self.countDown(name, &state.runningByName)
            guard let place = state.waiting.firstIndex(where: { hasRoom(for: $0.name, state) })
            else { return nil }
            let next = state.waiting.remove(at: place)
            Self.countDown(next.name, &state.waitingByName)
            begin(next.name, &state)
            return next
        }
        next?.continuation.resume(returning: true)
    }

    private func giveUp(_ number: Int) {
        let gone = state.withLock { state -> Waiting? in
            guard let place = state.waiting.firstIndex(where: { $0.number == number }) else {
                return nil
            }
            let gone = state.waiting.remove(at: place)
            Self.countDown(gone.name, &state.waitingByName)
            return gone
        }
        gone?.continuation.resume(returning: false)
    }

    private static func countDown(_ name: String, _ counts: inout [String: Int]) {
        let left = (counts[name] ?? 1) - 1
        counts[name] = left > 0 ? left : nil
    }
}
