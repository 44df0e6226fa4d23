import Events
import HTTP
import MQTT
import ServiceBench
import ServiceHost
import ServiceRuntime
import TestSupport
import Testing
import Wire

@testable import ScanIngest

@Suite("Messages of nodes") struct NodeMessagesTests {
    private static let topic = "espresense/devices/c0ffee123456/hall"
    private static let good = #"{"mac":"c0ffee123456","id":"c0ffee123456","rssi":-70}"#

    private static func messages(
        _ bench: ServiceBench, _ sink: KeepingSink, url: String = "mqtt://127.0.0.1:1"
    ) throws -> NodeMessages {
        let settings = MQTTSettings(
            try bench.configuration(
                ScanIngestSettings.all,
                ["WHEREABOUTS_MQTT_URL": url, "WHEREABOUTS_MQTT_SITE": "sample"]))
        return NodeMessages(
            settings: try #require(settings), sink: sink, clock: bench.clock,
            notices: bench.notices, metrics: bench.metrics)
    }

    private static func batch(_ payloads: [String], isRetained: Bool = false) -> MQTTBatch {
        MQTTBatch(
            messages: payloads.map {
                MQTTMessage(topic: topic, payload: Array($0.utf8), isRetained: isRetained)
            })
    }

    @Test("that can't be used are counted, reported once, and hold nothing up")
    func unreadable() async throws {
        let bench = try await ServiceBench()
        let sink = KeepingSink()
        let messages = try Self.messages(bench, sink)
        try await messages.deliver(
            Self.batch(["{", Self.good, "}", "{}", #"{"id":"apple:1","rssi":-4}"#]))
        try await messages.deliver(Self.batch(["{"]))
        #expect(sink.kept.map(\.name) == ["c0:ff:ee:12:34:56"])
        #expect(sink.kept.map(\.at) == [ServiceBench.start] && sink.sites == [SiteID("sample")])
        #expect(bench.unexpected.count == 3, "truncated, not JSON, and no strength")
    }

    @Test("that the broker retained are left out, since they may be of any age")
    func retained() async throws {
        let bench = try await ServiceBench()
        let sink = KeepingSink()
        try await Self.messages(bench, sink).deliver(
            Self.batch([Self.good], isRetained: true))
        #expect(sink.asked == 0)
    }

    @Test("that the intake refuses for good are given up, counted and reported")
    func refused() async throws {
        let bench = try await ServiceBench()
        let sink = KeepingSink(refusing: [Problem(.deviceErased, "the device was erased")])
        try await Self.messages(bench, sink).deliver(Self.batch([Self.good, Self.good]))
        #expect(bench.unexpected.count == 1)
        let metrics = bench.metrics.exposition
        #expect(metrics.contains(#"whereabouts_mqtt_messages_total{outcome="refused"} 1"#))
        #expect(metrics.contains(#"whereabouts_mqtt_messages_total{outcome="heard"} 1"#))
    }

    @Test("come again where the reason passes, such as a site that is not published yet")
    func passing() async throws {
        let bench = try await ServiceBench()
        let failures: [Problem] = [
            Problem(.siteUnknown, "there is no such site"), .starting,
            Problem(.senderBlocked, "it is blocked"),
        ]
        let messages = try Self.messages(bench, KeepingSink(failing: failures))
        for _ in failures {
            await #expect(throws: Problem.self) {
                try await messages.deliver(Self.batch([Self.good]))
            }
        }
        #expect(bench.unexpected.count == 2)
        try await messages.deliver(Self.batch([Self.good]))
    }

    @Test("A broker needs a site, and a password a user")
    func settings() {
        let url = ["WHEREABOUTS_MQTT_URL": "mqtt://broker"]
        let site = url.merging(["WHEREABOUTS_MQTT_SITE": "sample"]) { $1 }
        #expect(MQTTSettings.missing(in: [:]).isEmpty)
        #expect(MQTTSettings.missing(in: url).map(\.name) == ["WHEREABOUTS_MQTT_SITE"])
        #expect(MQTTSettings.missing(in: site).isEmpty)
        let password = site.merging(["WHEREABOUTS_MQTT_PASSWORD_FILE": "/x"]) { $1 }
        #expect(MQTTSettings.missing(in: password).map(\.name) == ["WHEREABOUTS_MQTT_USER"])
    }

    @Test(
        "are of topics that end with the device and the node",
        arguments: [
            ("espresense/devices/+/+", true), ("$share/whereabouts/espresense/devices/+/+", true),
            ("home/devices/+/hall", true), ("foo/#", false), ("espresense/devices/#", false),
            ("$share/devices/+/+", false), ("espresense/devices/+/", false), ("+/+", false),
        ])
    func topics(filter: String, isUsable: Bool) async throws {
        let bench = try await ServiceBench()
        let values = ["WHEREABOUTS_MQTT_TOPIC": filter]
        let read = try? bench.configuration(ScanIngestSettings.all, values)
        #expect((read != nil) == isUsable)
    }

    @Test(
        "come from a broker that is away at first, and again if the log was away",
        .enabled(if: PrivateBroker.isUsable), .timeLimit(.minutes(3)))
    func endToEnd() async throws {
        let bench = try await ServiceBench()
        let sink = KeepingSink(failing: [.starting])
        let broker = try PrivateBroker()
        defer { broker.stop() }
        // The session begins here, and so the broker keeps what comes later.
        let messages = try Self.messages(bench, sink, url: "mqtt://127.0.0.1:\(broker.port)")
        let first = Task { await messages.run() }
        try await Self.untilSubscribed(bench)
        first.cancel()
        await first.value
        try broker.publish((0..<200).map { _ in Self.good }, to: Self.topic)
        broker.stop()
        let second = Task { await messages.run() }
        try broker.start()
        try await sink.wait(for: 200)
        #expect(sink.kept.count == 200)
        second.cancel()
        await second.value
    }

    private static func untilSubscribed(_ bench: ServiceBench) async throws {
        while !bench.metrics.exposition.contains("\nwhereabouts_mqtt_connected 1\n") {
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
