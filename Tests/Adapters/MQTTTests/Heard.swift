import MQTT
import Synchronization
import Testing

/// Keeps what a subscriber delivers, for a test that waits for it.
final class Heard: Sendable {
    private struct State {
        var texts: [String] = []
        var oversized = 0
        var isReady = false
    }

    private let state = Mutex(State())

    var texts: [String] { state.withLock { $0.texts } }
    var isReady: Bool { state.withLock { $0.isReady } }
    var oversized: Int { state.withLock { $0.oversized } }

    func add(_ batch: MQTTBatch) {
        state.withLock { state in
            state.texts += batch.messages.map { String(decoding: $0.payload, as: UTF8.self) }
            state.oversized += batch.oversized
        }
    }

    func ready() { state.withLock { $0.isReady = true } }

    func waitUntilReady() async throws {
        while !isReady { try await Task.sleep(for: .milliseconds(5)) }
    }

    func wait(forTexts count: Int) async throws {
        while texts.count < count { try await Task.sleep(for: .milliseconds(5)) }
    }
}

struct NotSaved: Error {}
