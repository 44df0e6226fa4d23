import Events
import Foundation
import SeededRandomness
import Testing
import Wire

@testable import Scanning

/// `WHEREABOUTS_FUZZ=100000` gives each parser so many inputs. Each input is a valid one with one
/// to five mutations. At least half of them must get past the parser's first step.
@Suite struct ParserFuzzTests {
    private static let count =
        ProcessInfo.processInfo.environment["WHEREABOUTS_FUZZ"].flatMap(Int.init) ?? 2_000

    static func mutated(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...5, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 1...20, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
            case 4: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            default:
                let from = Int.random(in: 0..<bytes.count, using: &random)
                let piece = bytes[from..<min(bytes.count, from + end - place)]
                bytes.replaceSubrange(place..<end, with: Array(piece))
            }
        }
        return bytes
    }

    /// Feeds a parser, which tells whether the input got past its first step.
    private func fuzz(
        _ samples: [[UInt8]], seed: UInt64, _ parse: ([UInt8]) -> Bool
    ) {
        var random = SeededRandom(seed: seed)
        var past = 0
        for _ in 0..<Self.count {
            let sample = samples.randomElement(using: &random)!
            if parse(Self.mutated(sample, &random)) { past += 1 }
        }
        print("fuzz: \(past) of \(Self.count) inputs got past the first step")
        #expect(2 * past >= Self.count)
    }

    @Test("The text of iw never crashes the reader, and names keep their limits")
    func iw() {
        fuzz(IwFixture.all.map { Array($0.text.utf8) }, seed: 1) { bytes in
            let result = IwText.read(bytes)
            for reading in HeardNetwork.readings(result.networks) {
                #expect((-120...0).contains(reading.rssi))
                #expect(reading.ssid?.unicodeScalars.count ?? 0 <= 32)
                #expect(reading.ssid?.utf8.contains { $0 < 0x20 } != true)
            }
            return !result.networks.isEmpty
        }
    }

    @Test("The kernel's attributes never crash the reader")
    func netlink() {
        let samples = [[], Array("guest".utf8), [0, 0, 0], [UInt8](repeating: 0xC3, count: 32)]
            .map { BuiltMessage.network(name: $0) }
        fuzz(samples, seed: 2) { bytes in
            // The kernel's own lengths fit. Every second input's outermost does, too.
            let isWhole = bytes.count % 2 == 0 && bytes.count > 12
            let inside = isWhole ? Array(bytes[12...]) : []
            let message = isWhole ? BuiltMessage.attribute(47, inside) : bytes
            guard let network = NetlinkAttributes.network(in: message) else { return isWhole }
            #expect(network.name.count <= 32)
            _ = HeardNetwork.readings([network])
            return true
        }
    }

    @Test("Advertisements never crash the reader")
    func advertisements() {
        let beacon = [0x02, 0x15] + [UInt8](1...16) + [0, 80, 0, 3, 0xC5]
        let eddystone = [0x00, 0xEE] + [UInt8](1...16) + [0, 0, 0, 0, 0]
        fuzz([beacon, eddystone], seed: 3) { bytes in
            Advertisement.beacon(makerData: bytes, rssi: -60) != nil
                || Advertisement.beacon(serviceData: bytes, rssi: -60) != nil
        }
    }

    @Test("The server's answers never crash the reader")
    func answers() {
        let poll = """
            {"requests":[{"id":"0193a000-0000-7000-8000-000000000001",
            "askedAt":"2026-11-21T08:00:00Z",
            "secondsLeft":19.8,"store":true,"place":{"location":"d-17"},"room":"S6.01"}],
            "cancelled":["0193a000-0000-7000-8000-000000000002"],"next":"a41f00000000000000000"}
            """
        let batch = """
            {"accepted":1,"rejected":[{"index":1,"code":"nothing-heard","detail":"some words here"},
            {"index":2,"code":"quota-exceeded","detail":"and some more words for a mutation"}]}
            """
        fuzz([Array(poll.utf8), Array(batch.utf8)], seed: 4) { bytes in
            _ = try? ScanRequestPoll(json: bytes)
            _ = BatchReply(json: bytes)
            // Its first step is the brace.
            return bytes.first == UInt8(ascii: "{")
        }
    }

    @Test("Lines of other programs never crash the reader")
    func lines() {
        let line = SpooledScan.bytes(sampleScan(1)) + [0x0A]
        fuzz([line + line + line], seed: 5) { bytes in
            var splitter = LineSplitter()
            var lines = splitter.feed(bytes)
            if let last = splitter.end() { lines.append(last) }
            let now = Timestamp(microseconds: 1_800_000_000_000_000)
            return lines.contains { line in
                line.map { (try? SubmissionDecoder(.file).decodeOne($0, receivedAt: now)) != nil }
                    == true
            }
        }
    }
}
