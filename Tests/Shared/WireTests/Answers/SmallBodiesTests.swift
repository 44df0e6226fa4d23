import Events
import Site
import Testing
import Wire

@Suite struct SmallBodiesTests {
    private static let id = EventID(high: 1, low: 2)

    @Test("A draft goes to everyone unless the body names testers")
    func audience() throws {
        for (body, audience) in [
            ("", .everyone), ("{}", .everyone), (#"{"audience":null}"#, .everyone),
            (#"{"audience":"test"}"#, .test),
        ] as [(String, DraftAudience)] {
            #expect(try DraftAudience(json: Array(body.utf8)) == audience, "\(body)")
        }
    }

    @Test("An answer to a publication tells everyone from those who may see the site")
    func published() {
        let site = SiteID("s")
        let draft = (revision: 2, audience: DraftAudience.everyone)
        func text(_ audience: SiteAudience?) -> String {
            let json = PublicationAnswer.json(
                of: site, version: 3, isChanged: true, draft: draft, siteAudience: audience)
            return String(decoding: json, as: UTF8.self)
        }
        #expect(text(.link).contains(#""audience":"everyone","siteAudience":"link""#))
        #expect(!text(nil).contains("siteAudience"))
    }

    @Test(
        "A body that names no audience is refused",
        arguments: [
            ("[]", ProblemCode.notAnObject), (#"{"audience":"some"}"#, .fieldOutOfRange),
            (#"{"audience":1}"#, .fieldOutOfRange), ("{", .truncated),
            (#"{"audiance":"test"}"#, .fieldUnknown),
        ])
    func wrongAudience(body: String, code: ProblemCode) {
        let fault = #expect(throws: WireFault.self) { try DraftAudience(json: Array(body.utf8)) }
        #expect(fault?.code == code)
    }

    @Test("A decision has accept or reject, and its surveys")
    func decision() throws {
        let body = #"{"decision":"reject","surveys":["\#(Self.id)"]}"#
        let decision = try SurveyDecision(json: Array(body.utf8))
        #expect(!decision.isAccepted && decision.surveys == [Self.id])
        #expect(try SurveyDecision(json: Array(#"{"decision":"accept"}"#.utf8)).isAccepted)
    }

    @Test(
        "A decision without accept or reject, or with a malformed survey id, is refused",
        arguments: [
            ("[]", ProblemCode.decisionMalformed), (#"{"decision":"maybe"}"#, .decisionMalformed),
            (#"{"decision":"accept","surveys":["a"]}"#, .idMalformed),
            (#"{"decision":"accept","surveys":[1]}"#, .idMalformed),
            (#"{"decision":"accept","survey":[]}"#, .fieldUnknown),
        ])
    func wrongDecision(body: String, code: ProblemCode) {
        let fault = #expect(throws: WireFault.self) { try SurveyDecision(json: Array(body.utf8)) }
        #expect(fault?.code == code)
    }

    @Test("A misspelt member is refused, and named with the known ones")
    func misspelt() {
        let readings: [([UInt8]) throws -> Any] = [
            { try OutageSubmission(json: $0) }, { try EnrolmentOrder(json: $0) },
            { try SelectionSubmission(json: $0) }, { try PromotionSubmission(json: $0) },
            { try ReturnSubmission(json: $0) }, { try ScanRequestSubmission(json: $0) },
            { try ScanSwitchPatch(json: $0) }, { try ScannerChange(json: $0) },
            { try CodeSubmission(json: $0) }, { try BarrierSubmission(json: $0) },
        ]
        for reading in readings {
            let fault = #expect(throws: WireFault.self) {
                try reading(Array(#"{"misspelt":1}"#.utf8))
            }
            #expect(fault?.code == .fieldUnknown && fault?.path == "misspelt")
            #expect(fault?.reason.hasPrefix("use one of ") == true)
        }
    }

    @Test("An empty list of buildings is refused, since without a list a role is for all of them")
    func noBuildings() throws {
        let bodies: [(path: String, text: String, read: ([UInt8]) throws -> Any)] = [
            (
                "buildings", #"{"role":"analyst","site":"a","buildings":BUILDINGS}"#,
                { try TokenOrder(json: $0) }
            ),
            (
                "buildings", #"{"scanner":"pi-1","buildings":BUILDINGS}"#,
                { try EnrolmentOrder(json: $0) }
            ),
            (
                "grants[0].buildings",
                #"{"grants":[{"role":"analyst","site":"a","buildings":BUILDINGS}]}"#,
                { try AccountSubmission(json: $0) }
            ),
            (
                "grants[0].buildings",
                #"{"grants":[{"role":"analyst","site":"a","buildings":BUILDINGS}]}"#,
                { try InvitationSubmission(json: $0) }
            ),
        ]
        for body in bodies {
            func read(_ buildings: String) throws -> Any {
                try body.read(Array(body.text.replacing("BUILDINGS", with: buildings).utf8))
            }
            let fault = #expect(throws: WireFault.self) { try read("[]") }
            #expect(fault?.path == body.path && fault?.reason.contains("all buildings") == true)
            _ = try read(#"["b"]"#)
            _ = try read("null")
        }
    }

    @Test("The answers of positioners and of outages may be sent back")
    func sentBack() throws {
        let (site, now) = (SiteID("a"), Timestamp(milliseconds: 1_795_305_600_000))
        let selection = PositionerSelection(served: "track", beside: ["knn"])
        let event = PositionerSelected(
            site: site, revision: 1, selection: selection, selectedAt: now)
        let positioners = SitePositioners(
            site: site, served: "track", beside: ["knn"], standard: "auto",
            allowed: ["auto", "knn", "track"],
            history: [SitePositioners.Selected(event, by: "somebody")])
        #expect(try SelectionSubmission(json: positioners.json).selection == selection)
        // The default of an answer can't be set, and without `served` it would select another one.
        for body in [#"{"default":"knn"}"#, #"{"beside":["knn"],"allowed":[]}"#] {
            let fault = #expect(throws: WireFault.self) {
                try SelectionSubmission(json: Array(body.utf8))
            }
            #expect(fault?.code == .fieldUnknown && fault?.reason == "use one of beside, served")
        }
        let misspelt = #expect(throws: WireFault.self) {
            try SelectionSubmission(json: Array(#"{"served":"knn","besides":[]}"#.utf8))
        }
        #expect(misspelt?.path == "besides" && misspelt?.reason == "use one of beside, served")
        let reported = OutageReported(
            site: site, id: Self.id, connection: ConnectionID("lift"), from: now, until: now,
            reason: "Motor", reportedBy: "Anna", reportedAt: now, reporter: nil)
        let ended = OutageEnded(outage: reported, endedAt: now, endedBy: "Bert", ender: nil)
        let outage = try OutageSubmission(
            json: ListedOutage(reported, ended: ended, at: now).json)
        #expect(outage.site == site && outage.id == Self.id && outage.from == now)
        #expect(outage.reason == "Motor" && outage.reportedBy == "Anna")
    }

    @Test("A request's answer may be sent back to its switch, and a scanner's entry to change it")
    func scannersSentBack() throws {
        let now = Timestamp(milliseconds: 1_795_305_600_000)
        let requested = ScanRequested(
            site: SiteID("a"), id: Self.id, scanner: ScannerID("pi-1"), asker: "somebody",
            place: .location(LocationID("d-1")), store: true, askedAt: now, until: now)
        let json = ListedScanRequest([requested], .open).json
        #expect(try ScanSwitchPatch(json: json).isOn)
        let listed = ListedScanner(
            ScannerID("pi-1"), isNode: true, expiresAt: now, health: Array("{}".utf8))
        #expect(try ScannerChange(json: listed.json).isNode)
    }

    @Test("Uses of tokens are read as they were written, up to the limit")
    func uses() throws {
        let moment = Timestamp(microseconds: 1_700_000_000_000_000)
        let written = (0..<3).map { _ in (token: Self.id.description, at: moment) }
        let json = TokenUses.json(written + [(token: "no id", at: moment)])
        let read = try TokenUses.read(json, most: 10)
        #expect(read.map(\.token) == [Self.id, Self.id, Self.id])
        #expect(read.allSatisfy { $0.at == moment })
        #expect(try TokenUses.read(json, most: 2).count == 2)
        #expect(try TokenUses.read(Array("{}".utf8), most: 2).isEmpty)
    }

    @Test("The locator reads a site's map as fingerprint-builder writes it")
    func siteRadioMap() throws {
        let counts = SiteRadioMap.Counts(surveys: 1, inMap: 0, leftOut: 0)
        let none = SiteRadioMap.json(of: SiteID("a"), counts, map: nil, choice: nil)
        #expect(try SiteRadioMap.read(none) == nil)
        #expect(
            String(decoding: none, as: UTF8.self)
                == #"{"site":"a","surveys":1,"surveysInMap":0,"surveysLeftOut":0,"#
                + #""radioMap":null,"choice":null}"#)
        let announced = SampleEvents.all.lazy.compactMap { $0.event as? RadioMapAnnounced }.first
        let map = try #require(announced)
        let json = SiteRadioMap.json(of: map.site, counts, map: map.json, choice: nil)
        let read = try #require(try SiteRadioMap.read(json))
        #expect(read.map == map && read.choice == nil)
    }
}
