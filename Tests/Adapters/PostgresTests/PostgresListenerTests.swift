import Foundation
import Postgres
import Synchronization
import TestSupport
import Testing

@Suite(
    "A listener",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct PostgresListenerTests {
    @Test("receives the notifications of others")
    func notifications() async throws {
        let configuration = try await PrivatePostgres.shared().makeDatabase()
        let connection = PostgresConnection(configuration)
        for await event in PostgresListener.events(configuration, channels: ["news"]) {
            switch event {
            case .connected: try await connection.execute(script: "NOTIFY news, 'hello'")
            case .disconnected(let error): Issue.record(error)
            case .notification(let channel, let payload, let isOwn):
                #expect((channel, payload) == ("news", "hello"))
                #expect(!isOwn)
                return
            }
        }
    }

    @Test("sends nothing while no other process listens, and soon after one does")
    func audience() async throws {
        let configuration = try await PrivatePostgres.shared().makeDatabase()
        let heard = Mutex<[String]>([])
        let asked = Mutex(0)
        let speaker = PostgresListener(configuration, channels: ["news"]) {
            asked.withLock { $0 += 1 }
            return [.init(channel: "news", payload: "hello")]
        } receive: { event in
            if case .notification(_, let payload, _) = event {
                heard.withLock { $0.append(payload) }
            }
        }
        defer { speaker.close() }
        try await until {
            speaker.notifySoon()
            return asked.withLock { $0 } > 2
        }
        #expect(heard.withLock { $0 }.isEmpty)

        let others = PostgresListener.events(configuration, channels: ["news"])
        let hearing = Task {
            for await event in others {
                if case .notification(_, let payload, let isOwn) = event { return (payload, isOwn) }
            }
            return ("nothing", true)
        }
        // The sender gets its own notifications back once they are sent.
        try await until {
            speaker.notifySoon()
            return !heard.withLock { $0 }.isEmpty
        }
        #expect(await hearing.value == ("hello", false))
    }

    /// Checks every 50 ms. Throws after half a minute.
    private func until(_ isDone: () -> Bool) async throws {
        for _ in 0..<600 {
            if isDone() { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw TestServerError("the condition did not hold within 30 s")
    }
}
