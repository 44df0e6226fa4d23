import Events
import ScanSwitch
import Testing

@Suite("Who may ask a scanner for a scan") struct ScanRequestStateTests {
    private static let site = SiteID("museum")
    private static let scanner = ScannerID("pi-1")
    private static let id = EventID(high: 1, low: 2)
    private static let moment = Timestamp(milliseconds: 1_800_000_000_000)

    private func ask(
        _ wish: ScanWish = ScanWish(scanners: [scanner]), _ reach: AskerReach = .wholeSite,
        state: ScanRequestState = ScanRequestState(), asker: String = "account/1",
        building: BuildingID? = nil, openOfAsker: Int = 0, latelyOfAsker: Int = 0,
        scansInDay: Int = 0, paired: Bool = false, known: Bool = true,
        buildings: Set<BuildingID> = [], openOfScanner: Int = 0, latelyOfScanner: Int = 0,
        at moment: Timestamp = moment
    ) throws(ScanRequestRefusal) -> [ScanRequested]? {
        let scanner = AskedScanner(
            isKnown: known, buildings: buildings, isPairedWithAsker: paired, open: openOfScanner,
            lately: latelyOfScanner)
        return try state.ask(
            wish, id: Self.id, site: Self.site, asker: asker, reach: reach, placeIn: building,
            openOfAsker: openOfAsker, latelyOfAsker: latelyOfAsker, scansInDay: scansInDay,
            known: Dictionary(
                wish.scanners.map { ($0, scanner) }, uniquingKeysWith: { one, _ in one }),
            at: moment)
    }

    @Test("A surveyor asks several scanners, each by an event with the same id and end")
    func several() throws {
        let wish = ScanWish(
            scanners: [Self.scanner, ScannerID("pi-2")], place: .location(LocationID("d-17")),
            store: true, timeoutSeconds: 60)
        let events = try #require(try ask(wish))
        #expect(events.map(\.scanner.text) == ["pi-1", "pi-2"])
        #expect(events.allSatisfy { $0.id == Self.id && $0.until - $0.askedAt == 60_000_000 })
    }

    @Test("A visitor asks only the scanner that he is paired with, and stores nothing")
    func visitor() throws {
        #expect(try ask(ScanWish(scanners: [Self.scanner]), .paired, paired: true)?.count == 1)
        #expect(throws: ScanRequestRefusal.notYourScanner(Self.scanner)) {
            _ = try ask(ScanWish(scanners: [Self.scanner]), .paired)
        }
        #expect(throws: ScanRequestRefusal.mayNotStore) {
            _ = try ask(ScanWish(scanners: [Self.scanner], store: true), .paired, paired: true)
        }
        #expect(throws: ScanRequestRefusal.notYourScanner(Self.scanner)) {
            _ = try ask(ScanWish(scanners: [Self.scanner]), .paired, known: false)
        }
    }

    @Test("A surveyor of a building asks its scanners, and carried ones for places in it")
    func buildings() throws {
        let (own, other) = (BuildingID("east"), BuildingID("west"))
        let reach = AskerReach.buildings([own])
        let wish = ScanWish(scanners: [Self.scanner])
        #expect(try ask(wish, reach, buildings: [own]) != nil)
        #expect(try ask(wish, reach, building: own) != nil)
        for (scanner, place) in [([other], own), ([], other), ([], nil)] {
            #expect(throws: ScanRequestRefusal.notYourScanner(Self.scanner)) {
                _ = try ask(wish, reach, building: place, buildings: Set(scanner))
            }
        }
    }

    @Test("The limits are kept")
    func limits() {
        let many = (0..<9).map { ScannerID("pi-\($0)") }
        let refusals: [(ScanRequestRefusal, ScanWish, Int, Int, Bool)] = [
            (.scannersOutOfRange, ScanWish(scanners: []), 0, 0, true),
            (.scannersOutOfRange, ScanWish(scanners: many), 0, 0, true),
            (.scannersOutOfRange, ScanWish(scanners: [many[0], many[0]]), 0, 0, true),
            (.timeoutOutOfRange, ScanWish(scanners: [many[0]], timeoutSeconds: 0), 0, 0, true),
            (.timeoutOutOfRange, ScanWish(scanners: [many[0]], timeoutSeconds: 61), 0, 0, true),
            (
                .placeWithoutStore,
                ScanWish(scanners: [many[0]], place: .location(LocationID("a"))), 0, 0, true
            ),
            (.tooManyOfAsker, ScanWish(scanners: [many[0]]), 16, 0, true),
            (.tooManyOfScanner(many[0]), ScanWish(scanners: [many[0]]), 15, 8, true),
            (.unknownScanner(many[0]), ScanWish(scanners: [many[0]]), 0, 0, false),
        ]
        for (refusal, wish, ofAsker, ofScanner, known) in refusals {
            #expect(throws: refusal) {
                _ = try ask(
                    wish, openOfAsker: ofAsker, known: known, openOfScanner: ofScanner)
            }
        }
    }

    @Test("An asker makes 60 requests within a minute, and a scanner gets 120, cancelled or not")
    func lately() throws {
        #expect(try ask(latelyOfAsker: 59, latelyOfScanner: 119) != nil)
        #expect(throws: ScanRequestRefusal.tooManyOfAskerLately) {
            _ = try ask(latelyOfAsker: 60)
        }
        #expect(throws: ScanRequestRefusal.tooManyOfScannerLately(Self.scanner)) {
            _ = try ask(latelyOfScanner: 120)
        }
        let state = ScanRequestState(requested: try #require(try ask()))
        #expect(try ask(state: state, latelyOfAsker: 60) == nil, "a retry makes none")
    }

    @Test("An asker asks for 10,000 scans within a day, and each scanner of a request counts")
    func inDay() throws {
        let two = ScanWish(scanners: [Self.scanner, ScannerID("pi-2")])
        let events = try #require(try ask(two, scansInDay: 9_998))
        for (wish, former) in [(two, 9_999), (ScanWish(scanners: [Self.scanner]), 10_000)] {
            #expect(throws: ScanRequestRefusal.tooManyOfAskerInDay) {
                _ = try ask(wish, scansInDay: former)
            }
        }
        let state = ScanRequestState(requested: events)
        #expect(try ask(two, state: state, scansInDay: 10_000) == nil, "a retry asks for none")
    }

    @Test("A retry is harmless, and the id of another request is refused")
    func retry() throws {
        let state = ScanRequestState(requested: try #require(try ask()))
        let later = Self.moment.advanced(byMicroseconds: 3_000_000)
        #expect(try ask(state: state, at: later) == nil)
        for (wish, asker) in [
            (ScanWish(scanners: [Self.scanner], store: true), "account/1"),
            (ScanWish(scanners: [Self.scanner]), "account/2"),
        ] {
            #expect(throws: ScanRequestRefusal.sameIDForAnother) {
                _ = try ask(wish, state: state, asker: asker, at: later)
            }
        }
    }

    @Test("An open request is cancelled once")
    func cancel() throws {
        let events = try #require(try ask())
        let state = ScanRequestState(requested: events)
        #expect(try state.cancel(at: Self.moment).map(\.request) == events.map(\.key))
        #expect(try state.cancel(at: events[0].until).isEmpty)
        let cancelled = ScanRequestState(requested: events, cancelledAt: Self.moment)
        #expect(try cancelled.cancel(at: Self.moment).isEmpty)
        #expect(throws: ScanRequestRefusal.unknown) {
            _ = try ScanRequestState().cancel(at: Self.moment)
        }
    }
}
