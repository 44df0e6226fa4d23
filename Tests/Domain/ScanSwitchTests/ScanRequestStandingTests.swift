import Events
import ScanSwitch
import Testing

@Suite("Which scan answers a request") struct ScanRequestStandingTests {
    private static let moment = Timestamp(milliseconds: 1_800_000_000_000)
    private static let scan = EventID(high: 3, low: 4)
    private static let other = EventID(high: 3, low: 5)

    private func standing(store: Bool = false, place: Bool = false) -> ScanRequestStanding {
        ScanRequestStanding(
            ScanRequested(
                site: SiteID("museum"), id: EventID(high: 1, low: 2), scanner: ScannerID("pi-1"),
                asker: "account/1", place: place ? .location(LocationID("a")) : nil, store: store,
                askedAt: Self.moment, until: Self.moment.advanced(byMicroseconds: 20_000_000)))
    }

    private func done(
        _ standing: ScanRequestStanding, _ outcome: ScanRequestDone.Outcome
    ) -> ScanRequestStanding {
        var standing = standing
        standing.evolve(
            ScanRequestDone(
                request: standing.requested.key, outcome: outcome, scan: Self.scan,
                doneAt: Self.moment))
        return standing
    }

    @Test("Each kind of request is answered by its own kind of scan alone")
    func kinds() throws {
        let wanted: [(ScanAnswerKind, Bool, Bool)] = [
            (.passing, false, false), (.scan, true, false), (.survey, true, true),
        ]
        for (kind, store, place) in wanted {
            let standing = standing(store: store, place: place)
            for sent in [ScanAnswerKind.passing, .scan, .survey] {
                if sent == kind {
                    #expect(try standing.answer(by: Self.scan, as: sent, scannedAt: Self.moment))
                } else {
                    #expect(throws: ScanAnswerRefusal.differs) {
                        _ = try standing.answer(
                            by: Self.scan, as: sent, scannedAt: Self.moment)
                    }
                }
            }
        }
    }

    @Test("Polls without a wait move results three seconds after the last announcement")
    func moves() {
        var standing = standing()
        #expect(standing.mayMove(at: Self.moment))
        // The clock of the copy that said so is a day off.
        standing.evolve(
            ResultAwaited(
                request: standing.requested.key, address: "http://10.0.0.7:8080",
                awaitedAt: Self.moment.advanced(byMicroseconds: -86_400_000_000)),
            readAt: Self.moment)
        for (seconds, may) in [(0, false), (2, false), (3, true), (-60, true)] as [(Int64, Bool)] {
            let later = Self.moment.advanced(byMicroseconds: seconds * 1_000_000)
            #expect(standing.mayMove(at: later) == may, "\(seconds)")
        }
    }

    @Test("A retry is told from another scan, and a dropped answer may be followed by another")
    func retry() throws {
        let answered = done(standing(), .answered)
        #expect(try !answered.answer(by: Self.scan, as: .passing, scannedAt: Self.moment))
        #expect(throws: ScanAnswerRefusal.answered) {
            _ = try answered.answer(by: Self.other, as: .passing, scannedAt: Self.moment)
        }
        let dropped = done(standing(), .dropped)
        #expect(try dropped.answer(by: Self.other, as: .passing, scannedAt: Self.moment))
        #expect(done(dropped, .answered).done?.outcome == .answered)
        #expect(done(answered, .dropped).done?.outcome == .answered)
    }

    @Test("A scan of another time, or for a cancelled request, is no answer")
    func times() throws {
        let standing = standing()
        let late = standing.requested.until.advanced(byMicroseconds: 10_000_001)
        let early = Self.moment.advanced(byMicroseconds: -60_000_001)
        for moment in [late, early] {
            #expect(throws: ScanAnswerRefusal.over) {
                _ = try standing.answer(by: Self.scan, as: .passing, scannedAt: moment)
            }
        }
        var cancelled = standing
        cancelled.evolve(
            ScanRequestCancelled(request: standing.requested.key, cancelledAt: Self.moment))
        #expect(throws: ScanAnswerRefusal.cancelled) {
            _ = try cancelled.answer(by: Self.scan, as: .passing, scannedAt: Self.moment)
        }
        #expect(!cancelled.isOpen(at: Self.moment))
        #expect(cancelled.isCancelledLately(at: Self.moment))
        #expect(
            !cancelled.isCancelledLately(at: Self.moment.advanced(byMicroseconds: 120_000_000)))
    }

    @Test("A request whose scan is stored is known for a day, and another one for an hour")
    func kept() {
        for (store, seconds) in [(true, 86_400), (false, 3_600)] as [(Bool, Int64)] {
            let standing = standing(store: store)
            let end = standing.requested.until.advanced(byMicroseconds: seconds * 1_000_000)
            #expect(!standing.isForgotten(at: end.advanced(byMicroseconds: -1)))
            #expect(standing.isForgotten(at: end))
        }
    }

    @Test("A scanner that has begun in time has a moment more to answer")
    func begun() {
        var standing = standing()
        let end = standing.requested.until
        #expect(!standing.mayBeAnswered(at: end))
        standing.evolve(ScanRequestTaken(request: standing.requested.key, takenAt: Self.moment))
        #expect(standing.mayBeAnswered(at: end))
        #expect(!standing.isOpen(at: end))
        #expect(!standing.mayBeAnswered(at: end.advanced(byMicroseconds: 10_000_000)))
    }
}
