import EventLog
import Events
import Testing
import Wire

@Suite struct TraceParentTests {
    private let good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test("A traceparent of W3C's form travels with the event")
    func kept() {
        #expect(TraceParent.valid(good) == good)
        let record = SampleEvents.scan.record(source: "/test", traceparent: good)
        #expect(record.headers["traceparent"] == good)
    }

    @Test(
        "Anything else is dropped, and no event carries it",
        arguments: [
            "", "00", String(repeating: "x", count: 15_000),
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-011",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473\0-00f067aa0ba902b7-01",
        ])
    func dropped(text: String) throws {
        #expect(TraceParent.valid(text) == nil)
        let record = SampleEvents.scan.record(source: "/test", traceparent: text)
        #expect(record.headers["traceparent"] == nil)
        var headers = SampleEvents.scan.record(source: "/test").headers
        headers.append("traceparent", text)
        #expect(try EventEnvelope(headers: headers).traceparent == nil)
    }
}
