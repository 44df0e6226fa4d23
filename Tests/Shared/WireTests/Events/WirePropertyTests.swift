import EventLog
import Events
import Testing
import Wire

@Suite("Random events") struct WirePropertyTests {
    @Test("what is written is read as the same event", arguments: 0..<30 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var events = RandomEvents(seed: seed)
        for event in events.every() { #expect(try readAgain(event, from: event.json)) }
    }

    @Test("an event survives its record", arguments: 0..<20 as Range<UInt64>)
    func records(seed: UInt64) throws {
        var events = RandomEvents(seed: seed)
        for event in events.every() { try #expect(survivesRecord(event)) }
    }

    @Test("a submitted scan is written and read as the same", arguments: 0..<20 as Range<UInt64>)
    func submissions(seed: UInt64) throws {
        var events = RandomEvents(seed: seed)
        let truth = ScanTruth(
            building: BuildingID("b"), floor: FloorID("1"), room: RoomID("r"), x: 1.5, y: -2)
        let submission = ScanSubmission(events.scan(), place: events.place(), truth: truth)
        let read = try SubmissionDecoder(.file).decodeOne(
            submission.json, receivedAt: submission.receivedAt)
        #expect(read == submission)
    }

    @Test("mutated events are read or refused, and never crash", arguments: 0..<10 as Range<UInt64>)
    func mutations(seed: UInt64) {
        var events = RandomEvents(seed: seed)
        let originals = events.every().map { (event: $0, bytes: $0.json) }
        var refused = 0
        var rounds = 0
        for _ in 0..<30 {
            for (event, bytes) in originals {
                let mutated = mutate(bytes, using: &events)
                if (try? readAgain(event, from: mutated)) == nil { refused += 1 }
                rounds += 1
            }
        }
        // The test would be worthless if no mutation, or every mutation, were refused.
        #expect(refused > 0 && refused < rounds)
    }

    @Test("mutated bodies get outcomes or a fault", arguments: 0..<10 as Range<UInt64>)
    func mutatedBodies(seed: UInt64) {
        var events = RandomEvents(seed: seed)
        let lines = (0..<3).map { _ in events.scan().json }
        let bodies = [
            lines[0], Array(lines.joined(separator: Array("\n".utf8))),
            Array("[".utf8) + Array(lines.joined(separator: Array(",".utf8))) + Array("]".utf8),
        ]
        let receivedAt = Timestamp(milliseconds: 4_000_000_000_000)
        var outcomes = 0
        var faults = 0
        for _ in 0..<100 {
            for kind in [SubmissionDecoder.Kind.scan, .survey, .file] {
                let body = mutate(bodies[events.integer(0...2)], using: &events)
                do throws(WireFault) {
                    outcomes += try SubmissionDecoder(kind).decode(
                        body: body, receivedAt: receivedAt
                    ).count
                } catch {
                    faults += 1
                }
            }
        }
        #expect(outcomes > 0 && faults > 0)
    }

    private func survivesRecord<Event: WireEvent>(_ event: Event) throws -> Bool {
        let record = event.record(
            source: "/test", traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
        let read = try Event(record: stored(record))
        let envelope = try EventEnvelope(headers: record.headers)
        return read.json == event.json && envelope.type == Event.eventType
            && envelope.id == event.eventID && envelope.site == event.eventSite
            && envelope.traceparent == "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            && record.topic == Event.eventTopic.name
    }
}

/// The bytes with one to three places flipped, doubled, cut, moved, or replaced by a token.
func mutate(_ bytes: [UInt8], using events: inout RandomEvents) -> [UInt8] {
    var bytes = bytes
    let tokens = [
        "{", "}", "[", "]", "\"", ",", ":", "null", "1e400", "-121", "\\ud800", "\u{0}", "\n",
    ]
    for _ in 0...events.integer(0...2) where !bytes.isEmpty {
        let index = events.integer(0...bytes.count - 1)
        switch events.integer(0...6) {
        case 0: bytes[index] = UInt8(events.integer(0...255))
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(bytes[index], at: index)
        case 3: bytes.removeLast(bytes.count - index - 1)
        case 4: bytes.swapAt(index, events.integer(0...bytes.count - 1))
        case 5:
            bytes.insert(contentsOf: tokens[events.integer(0...tokens.count - 1)].utf8, at: index)
        default: bytes.removeSubrange(index..<min(bytes.count, index + events.integer(0...40)))
        }
    }
    return bytes
}
