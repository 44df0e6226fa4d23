import Events
import SeededRandomness
import Testing

@testable import Barriers

extension BarrierCounts {
    fileprivate init(
        waitingOfAddress: Int = 0, confirmed: Int = 0, confirmedByAddress: Int = 0,
        connections: Int
    ) {
        self.init([], known: nil, address: 0, connections: connections)
        self.waitingOfAddress = waitingOfAddress
        self.confirmed = confirmed
        self.confirmedByAddress = confirmedByAddress
    }
}

@Suite("Reports of barriers") struct BarrierDecisionTests {
    private static let start = Timestamp(milliseconds: 1_795_305_600_000)
    private static let lift = ConnectionID("lift-1")
    private static let many = BarrierCounts(connections: 1_000)

    private static func report(
        _ connection: ConnectionID = lift, hours: Int64 = 0, isByStaff: Bool = false,
        isShort: Bool = true
    ) -> BarrierReport {
        BarrierReport(
            site: SiteID("museum"), connection: connection, kind: .lift,
            at: start.advanced(byMicroseconds: hours * 3_600_000_000), isByStaff: isByStaff,
            isShort: isShort)
    }

    private static func person(_ session: UInt8, at address: UInt8) -> BarrierReporter {
        BarrierReporter(session: [session], address: address)
    }

    private static func id(_ number: Int) -> EventID { EventID(high: 9, low: UInt64(number)) }

    /// The barrier after a first report by session 1 at address 1.
    private static func waiting() throws -> ReportedBarrier {
        let decision = report().decide(
            known: nil, id: id(1), reporter: person(1, at: 1), many)
        guard case .waits(let barrier) = decision else {
            throw Unexpected(decision: decision)
        }
        return barrier
    }

    private struct Unexpected: Error {
        let decision: BarrierDecision
    }

    @Test("A first report waits for a day, and a second person closes the way for a day")
    func second() throws {
        let known = try Self.waiting()
        #expect(known.state == .waiting && known.until == Self.report(hours: 24).at)
        let decision = Self.report(hours: 3).decide(
            known: known, id: Self.id(2), reporter: Self.person(2, at: 2), Self.many)
        var outage = known.confirmed(at: Self.report(hours: 3).at)
        outage.closers = [1, 2]
        #expect(decision == .closes(outage))
        #expect(outage.until == Self.report(hours: 27).at && outage.reporter == nil)
        let event = outage.outage(from: Self.start, by: nil)
        #expect(event.id == known.id && event.reportedBy == "visitors" && event.reporter == nil)
        let late = Self.report(hours: 24).decide(
            known: known, id: Self.id(2), reporter: Self.person(2, at: 2), Self.many)
        guard case .waits(let anew) = late else { throw Unexpected(decision: late) }
        #expect(anew.id == Self.id(2), "the first one is gone")
    }

    @Test("The same session, a long street and a full list change nothing")
    func nothing() throws {
        let known = try Self.waiting()
        let other = Self.person(2, at: 2)
        func decide(
            _ report: BarrierReport, _ reporter: BarrierReporter, _ counts: BarrierCounts
        ) -> BarrierDecision {
            report.decide(known: known, id: Self.id(2), reporter: reporter, counts)
        }
        #expect(decide(Self.report(), Self.person(1, at: 7), Self.many) == .stays(known))
        #expect(decide(Self.report(isShort: false), other, Self.many) == .stays(known))
        let closed = BarrierCounts(confirmed: 2, connections: 16)
        #expect(decide(Self.report(), other, closed) == .stays(known), "a small site stays open")
        let crowd = BarrierCounts(
            waitingOfAddress: BarrierCounts.mostWaitingOfAddress, connections: 1_000)
        #expect(
            Self.report().decide(known: nil, id: Self.id(2), reporter: other, crowd) == .full)
    }

    @Test("An address helps to close two ways at a time and no third, whatever the other one is")
    func addresses() throws {
        let known = try Self.waiting()
        var open: [ReportedBarrier] = []
        func decide(_ address: UInt8) -> BarrierDecision {
            Self.report().decide(
                known: known, id: Self.id(2), reporter: Self.person(2, at: address),
                BarrierCounts(open, known: known, address: address, connections: 1_000))
        }
        func close(_ closers: [UInt8]) {
            var barrier = known.confirmed(at: Self.start)
            barrier.closers = closers
            open.append(barrier)
        }
        close([1, 1])
        guard case .closes(let own) = decide(1) else { throw Unexpected(decision: decide(1)) }
        #expect(own.closers == [1, 1] && own.isFromOneAddress)
        close([3, 1])
        #expect(decide(1) == .stays(known))
        #expect(decide(2) == .stays(known), "the first reporter has closed two with others")
        open = []
        close([2, 3])
        guard case .closes(let shared) = decide(2) else { throw Unexpected(decision: decide(2)) }
        #expect(shared.closers == [1, 2] && !shared.isFromOneAddress)
        close([4, 2])
        #expect(decide(2) == .stays(known))
        open = []
        for _ in 1...30 { close([]) }
        guard case .closes = decide(2) else { throw Unexpected(decision: decide(2)) }
        #expect(known.confirmed(at: Self.start).dismissed(at: Self.start).closers.isEmpty)
    }

    @Test("While a hundred wait, the oldest of the address with most goes", arguments: 0..<5)
    func leaving(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var open: [ReportedBarrier] = []
        for number in 1...140 {
            let hours = Int64.random(in: 0..<20, using: &random)
            let barrier = ReportedBarrier(
                id: Self.id(number), site: SiteID("museum"),
                connection: ConnectionID("c\(number)"), kind: .other,
                reportedAt: Self.report(hours: hours).at, until: Self.report(hours: 30).at,
                state: .waiting,
                reporter: Self.person(1, at: UInt8.random(in: 0..<12, using: &random)))
            open.append(number % 5 == 0 ? barrier.dismissed(at: Self.start) : barrier)
            let waiting = open.filter { $0.state == .waiting }
            guard waiting.count > 97 else { continue }
            // The slow twin compares each one with all others.
            let sized = waiting.map { one in
                (one, waiting.count { $0.reporter?.address == one.reporter?.address })
            }
            let first = sized.first { one, size in
                sized.allSatisfy { other, otherSize in
                    size > otherSize
                        || size == otherSize
                            && (one.reportedAt < other.reportedAt
                                || one.reportedAt == other.reportedAt && one.id <= other.id)
                }
            }
            #expect(BarrierCounts.leaving(open) == (waiting.count >= 100 ? first?.0 : nil))
        }
        #expect(BarrierCounts.leaving(open) != nil)
    }

    @Test("The staff decides at once, and a dismissed barrier stays away for six hours")
    func staff() throws {
        let counts = BarrierCounts(confirmed: 20, connections: 16)
        let first = Self.report(isByStaff: true).decide(
            known: nil, id: Self.id(1), reporter: Self.person(1, at: 1), counts)
        guard case .closes = first else { throw Unexpected(decision: first) }
        let dismissed = try Self.waiting().dismissed(at: Self.start)
        #expect(dismissed.reporter == nil && dismissed.until == Self.report(hours: 6).at)
        let soon = Self.report(hours: 5).decide(
            known: dismissed, id: Self.id(2), reporter: Self.person(2, at: 2), Self.many)
        #expect(soon == .stays(dismissed))
        let later = Self.report(hours: 6).decide(
            known: dismissed, id: Self.id(2), reporter: Self.person(2, at: 2), Self.many)
        guard case .waits = later else { throw Unexpected(decision: later) }
        let staff = Self.report(hours: 1, isByStaff: true).decide(
            known: dismissed, id: Self.id(2), reporter: Self.person(2, at: 2), Self.many)
        guard case .closes = staff else { throw Unexpected(decision: staff) }
    }

    /// An event of the past, for the slow twin.
    private struct Past {
        var hour: Int64
        var connection: Int
        var session: UInt8
        var address: UInt8
        var isByStaff = false
        var closed = false
        /// The address of the first report, where a second one closed the way.
        var first: UInt8?
        var waited = false
    }

    /// Looks through all that has happened, and asks each rule in words.
    private static func twin(_ now: Past, _ past: [Past], connections: Int) -> String {
        let here = past.filter { $0.connection == now.connection }
        if here.contains(where: { $0.closed && now.hour - $0.hour < 24 }) { return "stays" }
        // The last report that began a wait, since the last closing.
        let lastClosed = here.lastIndex { $0.closed }
        let since = lastClosed.map { Array(here[($0 + 1)...]) } ?? here
        let isOpen = { (one: Past, all: [Past]) in
            one.waited && now.hour - one.hour < 24
                && !all.contains {
                    $0.closed && $0.connection == one.connection && $0.hour >= one.hour
                }
        }
        guard let first = since.last(where: { isOpen($0, []) }) else {
            if now.isByStaff { return "closes" }
            let own = past.filter { isOpen($0, past) && $0.address == now.address }
            return own.count < 20 ? "waits" : "full"
        }
        if now.isByStaff { return "closes" }
        let open = past.filter { $0.closed && !$0.isByStaff && now.hour - $0.hour < 24 }
        func helped(_ address: UInt8) -> Int {
            open.filter { $0.address == address || $0.first == address }.count
        }
        let most = min(20, max(2, connections / 20))
        let may = open.count < most && helped(now.address) < 2 && helped(first.address) < 2
        return first.session != now.session && may ? "closes" : "stays"
    }

    @Test("Random reports are decided as by a slow look at all that happened", arguments: 0..<20)
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let connections = [16, 60, 400][Int(seed % 3)]
        var rows: [Int: ReportedBarrier] = [:]
        var past: [Past] = []
        var hour: Int64 = 0
        for number in 1...250 {
            hour += Int64.random(in: 0...1, using: &random)
            var event = Past(
                hour: hour, connection: Int.random(in: 0..<12, using: &random),
                session: UInt8.random(in: 0..<24, using: &random), address: 0)
            event.address = event.session / 3
            event.isByStaff = Int.random(in: 0..<12, using: &random) == 0
            let report = Self.report(
                ConnectionID("c\(event.connection)"), hours: hour, isByStaff: event.isByStaff)
            let open = rows.values.filter { $0.until > report.at }
            let known = rows[event.connection].flatMap { $0.until > report.at ? $0 : nil }
            let counts = BarrierCounts(
                Array(open), known: known, address: event.address, connections: connections)
            let decision = report.decide(
                known: known, id: Self.id(number),
                reporter: Self.person(event.session, at: event.address), counts)
            let expected = Self.twin(event, past, connections: connections)
            switch decision {
            case .waits(let barrier):
                #expect(expected == "waits", "\(number)")
                (rows[event.connection], event.waited) = (barrier, true)
            case .closes(let barrier):
                #expect(expected == "closes", "\(number)")
                (rows[event.connection], event.closed) = (barrier, true)
                event.first = barrier.closers.first
            case .stays: #expect(expected == "stays", "\(number)")
            case .full: #expect(expected == "full", "\(number)")
            }
            past.append(event)
        }
        #expect(past.contains { $0.closed } && past.contains { $0.waited })
    }
}
