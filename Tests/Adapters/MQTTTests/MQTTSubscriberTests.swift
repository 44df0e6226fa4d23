import Foundation
import MQTT
import TestSupport
import Testing

/// Against a real mosquitto.
@Suite(
    "A subscriber of an MQTT broker", .enabled(if: PrivateBroker.isUsable),
    .timeLimit(.minutes(3)))
struct MQTTSubscriberTests {
    private static func configuration(
        _ broker: PrivateBroker, client: String = "test"
    ) -> MQTTConfiguration {
        MQTTConfiguration(
            address: MQTTAddress(host: "127.0.0.1", port: broker.port, usesTLS: false),
            clientID: client, topic: "nodes/#")
    }

    /// Subscribes until the task is cancelled.
    private static func hear(
        _ heard: Heard, _ configuration: MQTTConfiguration
    ) -> Task<Void, any Error> {
        let subscriber = MQTTSubscriber(configuration)
        return Task { try await subscriber.run(onReady: heard.ready) { heard.add($0) } }
    }

    /// The error of an attempt; nil where there is none of this kind.
    private static func failure(_ configuration: MQTTConfiguration) async -> MQTTError? {
        do {
            try await MQTTSubscriber(configuration).run { _ in }
        } catch {
            return error as? MQTTError
        }
        return nil
    }

    @Test("delivers messages in order, and ends without an error when its task is cancelled")
    func inOrder() async throws {
        let broker = try PrivateBroker()
        defer { broker.stop() }
        let heard = Heard()
        let task = Self.hear(heard, Self.configuration(broker))
        try await heard.waitUntilReady()
        let lines = (0..<2_000).map { "message \($0)" }
        try broker.publish(lines, to: "nodes/a")
        try await heard.wait(forTexts: lines.count)
        #expect(heard.texts == lines)
        task.cancel()
        try await task.value
    }

    @Test("acknowledges a message after it was delivered: what was not saved comes again")
    func notSaved() async throws {
        let broker = try PrivateBroker()
        defer { broker.stop() }
        let (first, again) = (Heard(), Heard())
        let configuration = Self.configuration(broker)
        let failing = MQTTSubscriber(configuration)
        let task = Task {
            try await failing.run(onReady: first.ready) { batch in
                first.add(batch)
                throw NotSaved()
            }
        }
        try await first.waitUntilReady()
        try broker.publish(["one"], to: "nodes/a")
        await #expect(throws: NotSaved.self) { try await task.value }
        #expect(first.texts == ["one"])
        let second = Self.hear(again, configuration)
        try await again.wait(forTexts: 1)
        #expect(again.texts == ["one"])
        // The next is delivered once the first was saved and acknowledged.
        try broker.publish(["two"], to: "nodes/a")
        try await again.wait(forTexts: 2)
        second.cancel()
        try await second.value
        let third = Heard()
        let last = Self.hear(third, configuration)
        try await third.waitUntilReady()
        try broker.publish(["three"], to: "nodes/a")
        // The second may come again: its delivery was perhaps cancelled.
        try await third.wait(forTexts: 1)
        #expect(!third.texts.contains("one"))
        last.cancel()
    }

    @Test("cancelled within a delivery, it leaves the message to the next")
    func cancelledWithin() async throws {
        let broker = try PrivateBroker()
        defer { broker.stop() }
        let (heard, again) = (Heard(), Heard())
        let configuration = Self.configuration(broker)
        let subscriber = MQTTSubscriber(configuration)
        let task = Task {
            try await subscriber.run(onReady: heard.ready) { batch in
                heard.add(batch)
                try await Task.sleep(for: .seconds(600))
            }
        }
        try await heard.waitUntilReady()
        try broker.publish(["one"], to: "nodes/a")
        try await heard.wait(forTexts: 1)
        task.cancel()
        _ = await task.result
        let second = Self.hear(again, configuration)
        try await again.wait(forTexts: 1)
        #expect(again.texts == ["one"])
        second.cancel()
    }

    @Test("hears what was published while it was away, also when the broker was restarted")
    func away() async throws {
        let broker = try PrivateBroker()
        defer { broker.stop() }
        let configuration = Self.configuration(broker)
        let heard = Heard()
        let task = Self.hear(heard, configuration)
        try await heard.waitUntilReady()
        broker.stop()
        await #expect(throws: MQTTError.self) { try await task.value }
        #expect(await Self.failure(configuration)?.kind == .unreachable)
        try broker.start()
        try broker.publish(["meanwhile"], to: "nodes/a")
        broker.stop()
        try broker.start()
        let again = Self.hear(heard, configuration)
        try await heard.wait(forTexts: 1)
        #expect(heard.texts == ["meanwhile"])
        again.cancel()
    }

    @Test("is refused with a wrong password, by a reason that does not show it")
    func wrongPassword() async throws {
        let broker = try PrivateBroker(.password(user: "anna", "right-word"))
        defer { broker.stop() }
        var configuration = Self.configuration(broker)
        configuration.user = "anna"
        configuration.password = "wrong-word"
        let error = await Self.failure(configuration)
        #expect(error?.kind == .refused)
        #expect(error?.reason.contains("word") == false)
        configuration.password = "right-word"
        let heard = Heard()
        let task = Self.hear(heard, configuration)
        try await heard.waitUntilReady()
        try broker.publish(["in"], to: "nodes/a")
        try await heard.wait(forTexts: 1)
        task.cancel()
    }

    @Test("trusts a broker by its authority alone")
    func encrypted() async throws {
        let broker = try PrivateBroker(.encrypted)
        defer { broker.stop() }
        var configuration = Self.configuration(broker)
        configuration.address.usesTLS = true
        let stranger = await Self.failure(configuration)
        #expect(stranger?.kind == .notTrusted)
        configuration.certificateFile = broker.authority
        let heard = Heard()
        let task = Self.hear(heard, configuration)
        try await heard.waitUntilReady()
        try broker.publish((0..<300).map { "\($0)" }, to: "nodes/a")
        try await heard.wait(forTexts: 300)
        #expect(heard.texts == (0..<300).map { "\($0)" })
        task.cancel()
    }

    @Test("drops messages that are too large, counts them, and hears the others")
    func oversized() async throws {
        let broker = try PrivateBroker()
        defer { broker.stop() }
        let heard = Heard()
        let task = Self.hear(heard, Self.configuration(broker))
        try await heard.waitUntilReady()
        let largest = [UInt8](
            repeating: UInt8(ascii: "x"), count: MQTTConfiguration.payloadBytes)
        try broker.publish(file: largest + largest, to: "nodes/a")
        try broker.publish(file: largest, to: "nodes/a")
        try broker.publish(
            ["long topic"], to: "nodes/" + String(repeating: "t", count: 600))
        try broker.publish(["end"], to: "nodes/a")
        try await heard.wait(forTexts: 2)
        #expect(heard.texts.map(\.utf8.count) == [largest.count, 3])
        #expect(heard.oversized == 2)
        task.cancel()
    }

    @Test("reads no more than a batch while a delivery waits, and then all the rest")
    func backPressure() async throws {
        let broker = try PrivateBroker(settings: ["max_inflight_messages 0"])
        defer { broker.stop() }
        let heard = Heard()
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let subscriber = MQTTSubscriber(Self.configuration(broker))
        let first = Gate(gate)
        let task = Task {
            try await subscriber.run(onReady: heard.ready) { batch in
                heard.add(batch)
                await first.pass()
            }
        }
        try await heard.waitUntilReady()
        let lines = (0..<5_000).map { "\($0)" }
        try broker.publish(lines, to: "nodes/a")
        #expect(heard.texts.count <= MQTTConfiguration.batchMessages)
        open.finish()
        try await heard.wait(forTexts: lines.count)
        #expect(heard.texts == lines)
        task.cancel()
    }
}

/// Lets everybody pass once its stream has ended.
private actor Gate {
    private var stream: AsyncStream<Void>?
    init(_ stream: AsyncStream<Void>) { self.stream = stream }

    func pass() async {
        guard let stream else { return }
        for await _ in stream {}
        self.stream = nil
    }
}
