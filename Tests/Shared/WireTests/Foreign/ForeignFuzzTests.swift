import Events
import Foundation
import SeededRandomness
import Testing
import Wire

/// `WHEREABOUTS_FUZZ=100000` gives each reader so many inputs. Each input is a valid one with one
/// to five mutations. At least half of them must get past the reader of JSON.
@Suite struct ForeignFuzzTests {
    private static let count =
        ProcessInfo.processInfo.environment["WHEREABOUTS_FUZZ"].flatMap(Int.init) ?? 2_000

    /// Faults of the text, beyond which the payload's own reader begins.
    private static let faultsOfText: Set<WireFault.Code> = [
        .notJSON, .notUTF8, .truncated, .tooDeep, .bodyEmpty, .numberOutOfRange,
    ]

    private func fuzz(
        _ names: [String], seed: UInt64, _ read: ([UInt8], inout SeededRandom) throws -> Void
    ) throws {
        let samples = try names.map { try ForeignPayload.bytes($0) }
        var random = SeededRandom(seed: seed)
        var (past, longest) = (0, Duration.zero)
        for _ in 0..<Self.count {
            let input = JSONMutation.mutated(samples.randomElement(using: &random)!, &random)
            let began = ContinuousClock.now
            do {
                try read(input, &random)
                past += 1
            } catch let fault as WireFault {
                if !Self.faultsOfText.contains(fault.code) { past += 1 }
                // A fault goes into logs, so it must not hold what somebody sent.
                #expect(fault.path.utf8.count + fault.reason.utf8.count < 300)
            }
            longest = max(longest, ContinuousClock.now - began)
        }
        print("fuzz: \(past) of \(Self.count) got past the reader of JSON; longest \(longest)")
        #expect(2 * past >= Self.count)
        #expect(longest < .seconds(5))
    }

    /// Whether the event that the report becomes can be read by those who join it.
    private func check(_ heard: HeardDevice) {
        let event = SightingReported(
            id: EventID(high: 1, low: 2), site: SiteID("sample"), device: DeviceID("tag"),
            scanner: heard.scanner, at: heard.at, receivedAt: heard.at, rssi: heard.rssi,
            distance: heard.distance)
        #expect((try? SightingReported(json: event.json)) == event)
        #expect((1...HeardDevice.nameBytes).contains(heard.name.utf8.count))
        #expect(isWellFormedIdentifier(heard.scanner.text))
        #expect((-120...0).contains(heard.rssi))
        #expect(!heard.name.lowercased().hasPrefix("irk:"))
    }

    @Test("Messages of nodes")
    func espresense() throws {
        let names = ["public", "beacon", "kind", "key"].map { "espresense-\($0).json" }
        let samples = try names.map { name in
            let lines = try ForeignPayload.lines(name)
            return (topic: Array(lines[0].utf8), payload: Array(lines[1].utf8))
        }
        var random = SeededRandom(seed: 1)
        var past = 0
        for number in 0..<Self.count {
            let sample = samples.randomElement(using: &random)!
            let payload = JSONMutation.mutated(sample.payload, &random)
            // Every fourth topic, too.
            let topic =
                number % 4 == 0 ? JSONMutation.mutated(sample.topic, &random) : sample.topic
            do {
                let heard = try ESPresenseMessage.heard(
                    topic: String(decoding: topic, as: UTF8.self), payload: payload,
                    receivedAt: ForeignPayload.received)
                if let heard { check(heard) }
                past += 1
            } catch {
                if !Self.faultsOfText.contains(error.code), error.code != .foreignTopic {
                    past += 1
                }
            }
        }
        print("fuzz: \(past) of \(Self.count) messages got past the readers of topic and JSON")
        #expect(2 * past >= Self.count)
    }

    @Test("Posts of Meraki's")
    func meraki() throws {
        try fuzz(["meraki-wifi.json", "meraki-ble.json"], seed: 2) { bytes, _ in
            let post = try MerakiPost(
                json: bytes, receivedAt: ForeignPayload.received, isSecret: { _ in true })
            post.heard.forEach(check)
            #expect(post.heard.count + post.leftOut < 100)
        }
    }

    @Test("Bodies of FIND3's")
    func find3() throws {
        try fuzz(["find3-track.json", "find3-learn.json"], seed: 3) { bytes, _ in
            let scan = try FIND3Data.submission(
                json: bytes, receivedAt: ForeignPayload.received)
            // Our own reader takes the result.
            _ = try SubmissionDecoder(.scan).decodeOne(
                scan.json, receivedAt: ForeignPayload.received)
        }
    }

    @Test("Questions where somebody is")
    func geolocate() throws {
        try fuzz(["geolocate-ichnaea.json", "geolocate-google.json"], seed: 4) { bytes, _ in
            guard
                let scan = try GeolocateQuestion.submission(
                    json: bytes, receivedAt: ForeignPayload.received)
            else { return }
            _ = try SubmissionDecoder(.scan).decodeOne(
                scan.json, receivedAt: ForeignPayload.received)
        }
    }
}

/// Mutations of JSON. Most keep it JSON, so that the reader of the payload gets something to read.
enum JSONMutation {
    private static let values = [
        "null", "true", "0", "-0", "-1", "1e308", "-1e308", "1e-320", "9223372036854775807",
        "18446744073709551615", "[]", "{}", "\"\"", "\"NaN\"", "\"-71\"", "\"\\u0000\"",
        "\"é\\ud83d\\ude00\"", "\"\(String(repeating: "x", count: 300))\"", "[[[[1]]]]",
        "{\"apMac\":7}",
    ].map { Array($0.utf8) }

    static func mutated(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...5, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 1...20, using: &random))
            switch Int.random(in: 0..<20, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
            case 3...11: replaceValue(&bytes, from: place, &random)
            default: replaceCharacter(&bytes, from: place, &random)
            }
        }
        return bytes
    }

    /// Replaces a number or a text after a colon, or after the opening of a list.
    private static func replaceValue(
        _ bytes: inout [UInt8], from place: Int, _ random: inout SeededRandom
    ) {
        guard let mark = bytes[place...].firstIndex(of: UInt8(ascii: ":")) else { return }
        var start = mark + 1
        while start < bytes.count, bytes[start] == 0x20 { start += 1 }
        guard start < bytes.count else { return }
        var end = start
        if bytes[start] == UInt8(ascii: "\"") {
            guard let close = bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "\"")) else {
                return
            }
            end = close + 1
        } else {
            while end < bytes.count, !",}] \n".utf8.contains(bytes[end]),
                !"[{".utf8.contains(bytes[end])
            { end += 1 }
        }
        guard end > start else { return }
        bytes.replaceSubrange(start..<end, with: values.randomElement(using: &random)!)
    }

    /// Replaces a digit by a digit, or a letter by a letter.
    private static func replaceCharacter(
        _ bytes: inout [UInt8], from place: Int, _ random: inout SeededRandom
    ) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        guard
            let found = bytes[place...].firstIndex(where: {
                digits.contains($0) || letters.contains($0)
            })
        else { return }
        bytes[found] = UInt8.random(
            in: digits.contains(bytes[found]) ? digits : letters, using: &random)
    }
}
