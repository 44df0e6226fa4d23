import Foundation
import SeededRandomness
import Testing

@testable import MQTT

@Suite("A subscriber of a strange broker") struct StrangeBrokerTests {
    private static let count =
        ProcessInfo.processInfo.environment["WHEREABOUTS_FUZZ"].flatMap(Int.init) ?? 1_000

    private static func subscriber(_ broker: FalseBroker) -> MQTTSubscriber {
        MQTTSubscriber(
            MQTTConfiguration(
                address: MQTTAddress(host: "127.0.0.1", port: broker.port, usesTLS: false),
                clientID: "test", topic: "nodes/#"))
    }

    @Test("delivers what it read before the connection broke", .timeLimit(.minutes(1)))
    func broken() async throws {
        // CONNACK, SUBACK for QoS 1, a message of QoS 0, and a packet that no broker sends.
        var bytes: [UInt8] = [0x20, 2, 0, 0, 0x90, 3, 0, 1, 1, 0x30, 11, 0, 7]
        bytes += Array("nodes/ahi".utf8)
        bytes += [0x10, 0]
        let sent = bytes
        let broker = try FalseBroker { _ in sent }
        defer { broker.stop() }
        let heard = Heard()
        await #expect(throws: MQTTError.self) {
            try await Self.subscriber(broker).run { heard.add($0) }
        }
        #expect(heard.texts == ["hi"])
    }

    @Test("ends the connection at a message of QoS 2, which it did not ask for")
    func secondQoS() async throws {
        // CONNACK, SUBACK for QoS 1, a message of QoS 0, and one of QoS 2 that is never released.
        var bytes: [UInt8] = [0x20, 2, 0, 0, 0x90, 3, 0, 1, 1, 0x30, 11, 0, 7]
        bytes += Array("nodes/ahi".utf8)
        bytes += [0x34, 13, 0, 7] + Array("nodes/a".utf8) + [0, 1] + Array("no".utf8)
        let sent = bytes
        let broker = try FalseBroker { _ in sent }
        defer { broker.stop() }
        let heard = Heard()
        let error = await #expect(throws: MQTTError.self) {
            try await Self.subscriber(broker).run { heard.add($0) }
        }
        #expect(error?.kind == .malformed && error?.reason.contains("QoS 2") == true)
        #expect(heard.texts == ["hi"])
    }

    @Test("keeps no more than some batches, and drops those of QoS 0 earlier")
    func excess() {
        for size in [0, MQTTConfiguration.payloadBytes] {
            let inbox = MQTTInbox(client: "test")
            let message = MQTTMessage(topic: "a", payload: [UInt8](repeating: 1, count: size))
            let batch = size == 0 ? MQTTConfiguration.batchMessages : 16
            while inbox.messages.count < 20 * batch, inbox.admits(qos: 0) { inbox.keep(message) }
            #expect(inbox.messages.count == 4 * batch && inbox.excess == nil)
            while inbox.messages.count < 20 * batch, inbox.admits(qos: 1) { inbox.keep(message) }
            #expect(inbox.messages.count == 16 * batch && inbox.excess != nil)
            #expect(inbox.removeBatch()?.dropped == 1)
            #expect(!inbox.admits(qos: 1))
        }
    }

    /// The bytes of a broker: CONNACK, SUBACK, messages of each QoS, and a sign of life.
    private static let stream: [UInt8] = {
        var bytes: [UInt8] = [0x20, 2, 0, 0] + [0x90, 3, 0, 1, 1]
        let text = Array("{\"id\":\"tag\",\"rssi\":-70}".utf8)
        for (kind, number) in [(0x30, []), (0x32, [0, 1]), (0x34, [0, 2])] as [(UInt8, [UInt8])] {
            let rest = [0, 7] + Array("nodes/a".utf8) + number + text
            bytes += [kind, UInt8(rest.count)] + rest
        }
        return bytes + [0xD0, 0]
    }()

    /// The bytes of CONNACK, SUBACK and the first message.
    private static let opening = 9 + 2 + Int(stream[10])

    /// `WHEREABOUTS_FUZZ=100000` makes so many connections.
    @Test("ends with an error, whatever it sends")
    func anything() async throws {
        let broker = try FalseBroker { number in
            var random = SeededRandom(seed: UInt64(number))
            var bytes = Self.stream
            for _ in 0..<Int.random(in: 1...5, using: &random) where !bytes.isEmpty {
                // Half of the streams keep what lets the subscriber in, and the first message.
                let kept = number % 2 == 0 && bytes.count > Self.opening ? Self.opening : 0
                let place = Int.random(in: kept..<bytes.count, using: &random)
                let end = min(bytes.count, place + Int.random(in: 1...10, using: &random))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.removeSubrange(place..<end)
                case 2: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
                default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                }
            }
            return bytes
        }
        defer { broker.stop() }
        var past = 0
        for _ in 0..<Self.count {
            let heard = Heard()
            await #expect(throws: MQTTError.self) {
                try await Self.subscriber(broker).run { heard.add($0) }
            }
            if !heard.texts.isEmpty { past += 1 }
        }
        print("fuzz: \(past) of \(Self.count) streams got a message delivered")
        #expect(2 * past >= Self.count)
    }
}
