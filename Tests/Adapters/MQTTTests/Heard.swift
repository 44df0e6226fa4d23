import MQTT
import Synchronization
import Testing

/// Keeps what a subscriber delivers, for a test that waits for it.
final class Heard: Sendable {
    private struct State {
        var texts: [String] = []
        var oversized = 0
        var isReady = false
        var waiting: [(isEnough: @Sendable (State) -> Bool, CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var texts: [String] { state.withLock { $0.texts } }
    var isReady: Bool { state.withLock { $0.isReady } }
    var oversized: Int { state.withLock { $0.oversized } }

    func add(_ batch: MQTTBatch) {
        change { state in
            state.texts += batch.messages.map { String(decoding: $0.payload, as: UTF8.self) }
            state.oversized += batch.oversized
        }
    }

    func ready() { change { $0.isReady = true } }

    func waitUntilReady() async { await wait { $0.isReady } }

    func wait(forTexts count: Int) async { await wait { $0.texts.count >= count } }

    private func change(_ body: (inout State) -> Void) {
        let done = state.withLock { state in
            body(&state)
            let now = state
            let done = state.waiting.filter { $0.isEnough(now) }.map(\.1)
            state.waiting.removeAll { $0.isEnough(now) }
            return done
        }
        for continuation in done { continuation.resume() }
    }

    private func wait(until isEnough: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if isEnough(state) { return true }
                state.waiting.append((isEnough, continuation))
                return false
            }
            if isDone { continuation.resume() }
        }
    }
}

struct NotSaved: Error {}
