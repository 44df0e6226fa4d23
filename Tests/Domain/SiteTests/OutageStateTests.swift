import Events
import Site
import Testing

@Suite struct OutageStateTests {
    private static let start = Timestamp(milliseconds: 1_795_248_000_000)

    private static func later(_ minutes: Int64) -> Timestamp {
        start.advanced(byMicroseconds: minutes * 60_000_000)
    }

    private static func outage(
        _ id: UInt64 = 1, until: Timestamp? = nil, reason: String = "stuck"
    ) -> OutageReported {
        OutageReported(
            site: SiteID("bush-house"), id: EventID(high: 0, low: id),
            connection: ConnectionID("lift-b"), from: start, until: until, reason: reason,
            reportedBy: "porter", reportedAt: start)
    }

    private static func refusal(_ body: () throws -> Void) -> OutageRefusal? {
        do { try body() } catch { return error as? OutageRefusal }
        return nil
    }

    @Test("The same report again changes nothing; another one under its id is refused")
    func sameAgain() throws {
        let report = Self.outage()
        #expect(try OutageState().report(report, exists: true, open: 0) == report)
        let state = OutageState(reported: report)
        var again = report
        again.reportedAt = Self.later(1)
        #expect(try state.report(again, exists: true, open: 1) == nil)
        again.reason = "on fire"
        #expect(
            Self.refusal { _ = try state.report(again, exists: true, open: 1) }
                == .sameIDForAnother)
    }

    @Test("Unknown connections, empty or unprintable texts, swapped times and too many are refused")
    func refusals() {
        func refusal(
            _ outage: OutageReported, exists: Bool = true, open: Int = 0
        ) -> OutageRefusal? {
            Self.refusal { _ = try OutageState().report(outage, exists: exists, open: open) }
        }
        #expect(refusal(Self.outage(), exists: false) == .unknownConnection(ConnectionID("lift-b")))
        for reason in ["", "two\nlines", String(repeating: "x", count: 501)] {
            #expect(
                refusal(Self.outage(reason: reason)) == .unusableText("reason", maximumBytes: 500))
        }
        #expect(refusal(Self.outage(until: Self.start)) == .endsBeforeItBegins)
        #expect(refusal(Self.outage(), open: OutageState.openMaximum) == .tooMany)
    }

    @Test("An outage can be ended once, and not after it ended by itself")
    func ending() throws {
        let state = OutageState(reported: Self.outage(until: Self.later(60)))
        let ended = try state.end(by: "engineer", at: Self.later(30))
        #expect(ended.outage == state.reported)
        #expect(ended.endedBy == "engineer")
        let over = OutageState(reported: state.reported, ended: ended)
        for (state, minute) in [(over, 31), (state, 60), (OutageState(), 1)]
            as [(OutageState, Int64)]
        {
            #expect(
                Self.refusal { _ = try state.end(by: "engineer", at: Self.later(minute)) }
                    == .nothingToEnd)
        }
    }

    @Test(
        "The table has the outages that are open at a time, each once, in the order of ids")
    func table() {
        var table = OutageTable()
        table.evolve(Self.outage(2))
        table.evolve(Self.outage(1, until: Self.later(10)))
        table.evolve(Self.outage(1, until: Self.later(10)))
        let site = SiteID("bush-house")
        #expect(table.open(site, at: Self.start).map(\.id.low) == [1, 2])
        #expect(table.open(site, at: Self.later(10)).map(\.id.low) == [2])
        table.evolve(OutageEnded(outage: Self.outage(2), endedAt: Self.start, endedBy: "x"))
        #expect(table.open(site, at: Self.start).map(\.id.low) == [1])
        #expect(table.open(SiteID("elsewhere"), at: Self.start).isEmpty)
    }
}
