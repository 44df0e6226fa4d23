import Access
import EventLog
import Events
import HTTP
import SampleSites
import ServiceBench
import Testing
import Wire

@testable import ScanIngest
@testable import ServiceHost

/// Tests which caller may send which scans and surveys.
@Suite("Who may send") struct SpeakingForTests {
    private static let site = IngestBench.site

    @Test(
        "a scan for a device: the device itself, a gateway and administrators",
        arguments: [
            (TokenRole.device, "phone", "phone", nil),
            (.device, "phone", "other", "device-not-yours"),
            (.device, nil, "phone", "device-not-yours"),
            (.scanner, "phone", "phone", nil),
            (.scanner, "phone", "other", "device-not-yours"),
            (.gateway, "gate", "phone", nil),
            (.administrator, nil, "phone", nil),
            (.administratorOfSite, nil, "phone", nil),
            (.surveyor, "phone", "other", "device-not-yours"),
        ] as [(TokenRole, String?, String, String?)])
    func device(role: TokenRole, own: String?, of device: String, code: String?) async throws {
        let ingest = try await IngestBench()
        let token = ingest.bench.issue(role, site: Self.site, device: own.map { DeviceID($0) })
        let answer = try await ingest.send(
            IngestBench.scan(#""device": "\#(device)""#), token)
        #expect(answer["rejected.0.code"] == code)
        #expect(try await ingest.scans().map(\.device.text) == (code == nil ? [device] : []))
    }

    @Test("a scan: nobody without a token, with a wrong one, or with one of another role")
    func role() async throws {
        let ingest = try await IngestBench()
        let stranger = try await ingest.app.send("POST", "/v1/scans", body: IngestBench.scan())
        #expect(stranger.status == 401 && stranger.code == "token-missing")
        #expect(try await ingest.send(IngestBench.scan(), "wrong").code == "token-wrong")
        let visitor = ingest.bench.issue(.visitor, site: Self.site)
        #expect(try await ingest.send(IngestBench.scan(), visitor).code == "role-not-allowed")
    }

    @Test("a scan: no token that has expired or was revoked")
    func ended() async throws {
        let ingest = try await IngestBench()
        let end = Timestamp(microseconds: ServiceBench.start.microseconds + 10_000_000)
        let short = ingest.bench.issue(
            .device, site: Self.site, device: DeviceID("phone"), expiresAt: end)
        let revoked = ingest.phone()
        #expect(try await ingest.send(IngestBench.scan(), short).status == 202)
        #expect(try await ingest.send(IngestBench.scan(), revoked).status == 202)
        ingest.bench.pass(seconds: 10)
        ingest.bench.revoke(revoked)
        #expect(try await ingest.send(IngestBench.scan(), short).code == "token-wrong")
        #expect(try await ingest.send(IngestBench.scan(), revoked).code == "token-wrong")
    }

    @Test("a scan of the token's own site, where that is published")
    func site() async throws {
        let ingest = try await IngestBench()
        let other = try await ingest.send(
            IngestBench.scan(#""site": "elsewhere""#), ingest.phone())
        #expect(other["rejected.0.code"] == "site-not-yours")
        let everywhere = ingest.bench.issue(.administrator)
        let unknown = try await ingest.send(
            IngestBench.scan(#""site": "elsewhere", "device": "phone""#), everywhere)
        #expect(unknown.status == 404 && unknown["rejected.0.code"] == "site-unknown")
        let unnamed = try await ingest.send(
            IngestBench.scan(#""device": "phone""#), everywhere)
        #expect(unnamed["rejected.0.code"] == "site-missing")
        let noDevice = try await ingest.send(
            IngestBench.scan(#""site": "\#(Self.site)""#), everywhere)
        #expect(noDevice["rejected.0.code"] == "device-missing")
    }

    @Test("a survey for a scanner: a surveyor, once the scanner has a valid token")
    func scanner() async throws {
        let ingest = try await IngestBench()
        let surveyor = ingest.bench.issue(.surveyor, site: Self.site, device: DeviceID("tablet"))
        let survey = IngestBench.scan(#""device": "pi-1", "place": {"location": "desk"}"#)
        let before = try await ingest.send(survey, surveyor, to: "/v1/surveys")
        #expect(before["rejected.0.code"] == "scanner-unknown")
        let token = ingest.bench.issue(.scanner, site: Self.site, device: DeviceID("pi-1"))
        #expect(try await ingest.send(survey, surveyor, to: "/v1/surveys").status == 202)
        ingest.bench.revoke(token)
        let after = try await ingest.send(survey, surveyor, to: "/v1/surveys")
        #expect(after["rejected.0.code"] == "scanner-unknown")
        #expect(try await ingest.surveys().map(\.scan.device.text) == ["pi-1"])
    }

    @Test("a survey of a place that the site has")
    func place() async throws {
        let ingest = try await IngestBench()
        let surveyor = ingest.bench.issue(.surveyor, site: Self.site, device: DeviceID("tablet"))
        func code(_ place: String) async throws -> String? {
            let survey = IngestBench.scan(#""place": \#(place)"#)
            return try await ingest.send(survey, surveyor, to: "/v1/surveys")["rejected.0.code"]
        }
        #expect(try await code(#"{"location": "desk"}"#) == nil)
        #expect(try await code(#"{"floor": "ground", "x": 3, "y": 4}"#) == nil)
        #expect(try await code(#"{"location": "sofa"}"#) == "location-unknown")
        #expect(try await code(#"{"floor": "roof", "x": 3, "y": 4}"#) == "floor-unknown")
        let nowhere = try await ingest.send(IngestBench.scan(), surveyor, to: "/v1/surveys")
        #expect(nowhere["rejected.0.code"] == "place-missing")
        #expect(
            try await Set(ingest.surveys().map(\.place))
                == [.location(LocationID("desk")), .metres(floor: SampleSite.ground, x: 3, y: 4)])
    }

    @Test("a survey at a location of the draft, if it says so and the token is for the whole site")
    func draft() async throws {
        let ingest = try await IngestBench()
        func code(_ place: String, buildings: [BuildingID] = []) async throws -> String? {
            let surveyor = ingest.bench.issue(
                .surveyor, site: Self.site, buildings: buildings, device: DeviceID("tablet"))
            let survey = IngestBench.scan(#""place": \#(place)"#)
            return try await ingest.send(survey, surveyor, to: "/v1/surveys")["rejected.0.code"]
        }
        #expect(try await code(#"{"location": "sofa", "draft": true}"#) == nil)
        #expect(try await code(#"{"location": "desk", "draft": true}"#) == nil)
        #expect(try await code(#"{"location": "sofa", "draft": false}"#) == "location-unknown")
        #expect(try await code(#"{"location": "sofa", "draft": 1}"#) == "field-wrong-type")
        let floor = #"{"floor": "roof", "x": 3, "y": 4, "draft": true}"#
        #expect(try await code(floor) == "floor-unknown")
        let inHouse = try await code(
            #"{"location": "sofa", "draft": true}"#, buildings: [BuildingID("house")])
        #expect(inHouse == "location-unknown")
        #expect(
            try await Set(ingest.surveys().map(\.place))
                == [.location(LocationID("sofa")), .location(LocationID("desk"))])
    }

    @Test("a survey by a person without a device: its device is the account")
    func person() async throws {
        let ingest = try await IngestBench()
        let account = AccountID(EventID(high: 4, low: 2))
        var survey = ScanSubmission(at: ServiceBench.start, receivedAt: ServiceBench.start)
        survey.site = Self.site
        survey.place = .location(LocationID("desk"))
        survey.wifi = [WiFiReading(bssid: HardwareAddress(value: 1), rssi: -50)]
        func sent(_ role: Role, as kind: ScanIntake.Kind) -> Result<LogRecord, Problem> {
            let caller = Caller(
                id: account.description, grants: [Grant(role, site: Self.site)], account: account)
            var own = survey
            if kind == .scan { own.place = nil }
            return ingest.inbound.intake.accept(
                own, kind: kind, caller: caller, traceparent: nil
            ).map(\.record)
        }
        let record = try SurveyRecorded(
            json: #require(sent(.surveyor, as: .survey).get().value))
        #expect(record.scan.device.text == account.description)
        #expect(record.author == account.description)
        #expect(throws: Problem.self) { try sent(.surveyor, as: .scan).get() }
        #expect(throws: Problem.self) { try sent(.visitor, as: .survey).get() }
    }

    @Test("a survey in the buildings that the token is for")
    func building() async throws {
        let ingest = try await IngestBench()
        let survey = IngestBench.scan(#""place": {"location": "desk"}"#)
        for (building, code) in [("house", nil), ("annexe", "building-not-yours")] {
            let surveyor = ingest.bench.issue(
                .surveyor, site: Self.site, buildings: [BuildingID(building)],
                device: DeviceID("tablet"))
            let answer = try await ingest.send(survey, surveyor, to: "/v1/surveys")
            #expect(answer["rejected.0.code"] == code)
        }
    }

    @Test("nothing for an hour, once too many of a token's records were set aside")
    func blocked() async throws {
        let ingest = try await IngestBench()
        let token = ingest.phone()
        let sender = try #require(ingest.bench.tokens.caller(forBearer: token)).id
        let now = ingest.bench.clock.now
        for number in 0...SenderBlocks.limit {
            _ = ingest.bench.blocks.note("letter \(number)", of: sender, at: now, now: now)
        }
        let answer = try await ingest.send(IngestBench.scan(), token)
        #expect(answer["rejected.0.code"] == "sender-blocked")
        ingest.bench.pass(seconds: Int(SenderBlocks.spanSeconds) + 1)
        #expect(try await ingest.send(IngestBench.scan(), token).status == 202)
    }
}

@Suite("A token's quota") struct SendingQuotaTests {
    @Test("limits the scans that come at once; the rest is refused until Retry-After")
    func over() async throws {
        let ingest = try await IngestBench()
        let token = ingest.phone(quota: TokenQuota(recordsPerSecond: 0.001, burst: 2))
        let scan = IngestBench.scan()
        let answer = try await ingest.send("[\(scan), \(scan), \(scan)]", token)
        #expect(answer.status == 202 && answer["accepted"] == "2")
        #expect(answer["rejected.0.index"] == "2")
        #expect(answer["rejected.0.code"] == "quota-exceeded")
        #expect(answer.headers["retry-after"].flatMap { Int($0) } ?? 0 > 100)
        #expect(answer["rejected.0.detail"]?.contains(". Try again in 1") == true, "\(answer.text)")
        let refused = try await ingest.send(scan, token)
        #expect(refused.status == 429 && refused.text.contains(". Try again in "))
        // Another token has a quota of its own.
        #expect(try await ingest.send(scan, ingest.phone()).status == 202)
        #expect(try await ingest.scans().count == 3)
    }

    @Test("and the rest of it are the answer of GET /v1/limits, which no cache may keep")
    func reported() async throws {
        let ingest = try await IngestBench()
        let token = ingest.phone(quota: TokenQuota(recordsPerSecond: 0.001, burst: 2))
        _ = try await ingest.send(IngestBench.scan(), token)
        let answer = try await ingest.app.send("GET", "/v1/limits", token: token)
        #expect(answer.status == 200 && answer.headers["cache-control"] == "no-store")
        #expect(answer["records.burst"] == "2" && answer["records.left"] == "1")
    }
}
