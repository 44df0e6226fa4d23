import Access
import EventLog
import Events
import HTTP
import MemoryLog
import Privacy
import SampleSites
import ServiceBench
import ServiceHost
import ServiceRuntime
import Testing
import Wire

@testable import ScanIngest

@Suite("A tap, \"I am here\"") struct TapRoutesTests {
    private static let site = IngestBench.site
    private static let desk = #""place": {"location": "desk"}"#

    private static func tap(_ members: String = "", at: String = "2026-11-21T23:59:00Z") -> String {
        let comma = members.isEmpty ? "" : ", "
        return #"{"at": "\#(at)", "wifi": [{"bssid": "02:00:00:00:00:01", "rssi": -50}], "#
            + "\(desk)\(comma)\(members)}"
    }

    /// A session that anybody can begin.
    private static func visitor(_ number: Int = 1) -> Caller {
        Caller(
            id: "session/\(number)", grants: [Grant(.anonymous, site: site)], changeToken: "shown")
    }

    private func send(
        _ body: String, _ token: String, _ ingest: IngestBench
    ) async throws -> Answer {
        try await ingest.send(body, token, to: "/v1/taps")
    }

    private func stored(_ ingest: IngestBench) async throws -> [TapRecorded] {
        try await ingest.bench.records(of: .taps).map { try TapRecorded(record: $0) }
    }

    /// The record of a visitor's tap.
    private func accept(
        _ body: String, of visitor: Caller, _ ingest: IngestBench, address: String = "10.0.0.1",
        after seconds: Int64 = 0
    ) throws -> ScanIntake.Accepted {
        let now = ServiceBench.start.advanced(byMicroseconds: seconds * 1_000_000)
        let submission = try SubmissionDecoder(.survey).decodeOne(
            Array(body.utf8), receivedAt: now)
        return try ingest.taps.accept(
            submission, visitor, address: address, receivedAt: now, traceparent: "00-a-b-01")
    }

    private func code(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? Problem)?.code ?? "\(error)"
        }
    }

    @Test("of a device is stored under the device's id, with its token as the author")
    func device() async throws {
        let ingest = try await IngestBench()
        let answer = try await send(Self.tap(IngestBench.id(1)), ingest.phone(), ingest)
        #expect(answer.status == 202 && answer["accepted"] == "1")
        let taps = try await stored(ingest)
        try #require(taps.count == 1)
        #expect(taps[0].scan.device.text == "phone" && taps[0].scan.wifi.count == 1)
        #expect(taps[0].place == .location(LocationID("desk")))
        #expect(taps[0].author == EventID(high: 2, low: 1).description)
        #expect(try await ingest.scans().isEmpty)
        #expect(try await ingest.surveys().isEmpty)
        let exposition = ingest.bench.metrics.exposition
        #expect(exposition.contains("\nwhereabouts_taps_accepted_total 1\n"))
    }

    @Test("of a visitor is stored under a pseudonym of the day, and names no session")
    func visitor() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        let first = try accept(Self.tap(), of: Self.visitor(), ingest)
        let again = try accept(Self.tap(), of: Self.visitor(), ingest)
        let other = try accept(Self.tap(), of: Self.visitor(2), ingest)
        let account = Caller(
            id: "account/1", grants: [Grant(.visitor, site: Self.site)],
            account: AccountID(EventID(high: 1, low: 1)), changeToken: "shown")
        let known = try accept(Self.tap(), of: account, ingest)
        try await ingest.bench.log.append([first, again, other, known].map(\.record))
        let taps = try await stored(ingest)
        let pseudonyms = taps.map(\.scan.device)
        #expect(Set(pseudonyms).count == 3)
        let end = IngestBench.keys.keys[1].ends
        #expect(pseudonyms.allSatisfy { Pseudonym($0)?.ends == end })
        #expect(taps.allSatisfy { $0.author == $0.scan.device.text })
        #expect(taps.allSatisfy { $0.scan.scanner.text == $0.scan.device.text })
        for record in try await ingest.bench.records(of: .taps) {
            let bytes =
                (record.key ?? []) + (record.value ?? []) + Array(record.headers.encoded)
            let text = String(decoding: bytes, as: UTF8.self)
            for word in ["session/", "account/", "00-a-b-01"] { #expect(!text.contains(word)) }
        }
    }

    @Test("of a visitor needs the key of the day, and speaks for no device")
    func visitorsNames() async throws {
        let ingest = try await IngestBench()
        #expect(
            code { _ = try accept(Self.tap(), of: Self.visitor(), ingest) } == "day-key-missing")
        ingest.hand()
        _ = ingest.phone()
        for name in ["device", "scanner"] {
            #expect(
                code {
                    _ = try accept(
                        Self.tap(#""\#(name)": "phone""#), of: Self.visitor(), ingest)
                } == "device-not-yours")
        }
    }

    @Test(
        "comes from a device itself, a visitor, a surveyor or an administrator",
        arguments: [
            (TokenRole.device, "phone", nil), (.device, "other", "device-not-yours"),
            (.surveyor, nil, nil), (.administrator, nil, nil), (.administratorOfSite, nil, nil),
            (.visitor, nil, "device-not-yours"),
        ] as [(TokenRole, String?, String?)])
    func senders(role: TokenRole, own: String?, code: String?) async throws {
        let ingest = try await IngestBench()
        _ = ingest.phone()
        let token = ingest.bench.issue(role, site: Self.site, device: own.map { DeviceID($0) })
        let body = Self.tap(#""device": "phone", "site": "\#(Self.site)""#)
        let answer = try await send(body, token, ingest)
        #expect(answer["rejected.0.code"] == code)
        let isOfOther = own == nil
        #expect(
            try await stored(ingest).map { $0.author == "phone" }
                == (code == nil ? [isOfOther] : []))
    }

    @Test(
        "comes from no other role, and not without a token",
        arguments: [TokenRole.scanner, .gateway, .analyst, .aggregate, .locateOnly])
    func others(role: TokenRole) async throws {
        let ingest = try await IngestBench()
        let token = ingest.bench.issue(role, site: Self.site, device: DeviceID("box"))
        #expect(try await send(Self.tap(), token, ingest).code == "role-not-allowed")
        #expect(try await send(Self.tap(), "wrong", ingest).code == "token-wrong")
        let nobody = try await ingest.app.send("POST", "/v1/taps", body: Self.tap())
        #expect(nobody.status == 401)
    }

    @Test("is refused by name: one, an array and lines are judged as surveys are")
    func refusals() async throws {
        let ingest = try await IngestBench()
        let phone = ingest.phone()
        let scan = IngestBench.scan()
        #expect(try await send(scan, phone, ingest)["rejected.0.code"] == "place-missing")
        let request = IngestBench.scan(#""request": "0193b2a4-7c3e-7a10-8000-00000000abcd""#)
        #expect(try await send(request, phone, ingest)["rejected.0.code"] == "place-missing")
        let elsewhere = Self.tap().replacing("desk", with: "moon")
        let unknown = try await send(elsewhere, phone, ingest)
        #expect(unknown.status == 422 && unknown["rejected.0.code"] == "location-unknown")
        let lines = "\(Self.tap())\n\(Self.tap(at: "2026-11-20T23:59:00Z"))\nnot json\n"
        let answer = try await send(lines, phone, ingest)
        #expect(answer.status == 202 && answer["accepted"] == "1")
        #expect(answer["rejected.0.index"] == "1" && answer["rejected.1.index"] == "2")
        #expect(answer["rejected.0.code"] == "heard-too-long-ago")
        let array = try await send("[\(Self.tap()), \(Self.tap())]", phone, ingest)
        #expect(array.status == 202 && array["accepted"] == "2")
        #expect(try await stored(ingest).count == 3)
    }

    @Test("is refused far outside of the site, and accepted at the street in front of it")
    func outside() async throws {
        let ingest = try await IngestBench()
        let phone = ingest.phone()
        func tapped(x: Int) async throws -> Answer {
            let place = #""place": {"floor": "ground", "x": \#(x), "y": 3}"#
            return try await send(
                Self.tap().replacing(Self.desk, with: place), phone, ingest)
        }
        let far = try await tapped(x: 121)
        #expect(far.status == 400 && far["rejected.0.code"] == "coordinates-out-of-range")
        #expect(try await tapped(x: 119).status == 202)
    }

    @Test("has the readings of its moment, not too many, and nothing of the way to it")
    func moment() async throws {
        let ingest = try await IngestBench()
        let phone = ingest.phone()
        let felt = #""steps": 4, "magnetic": [1, 2, 3], "heading": 90"#
        #expect(try await send(Self.tap(felt), phone, ingest).status == 202)
        let tap = try #require(try await stored(ingest).first)
        #expect(tap.scan.steps == nil && tap.scan.magneticMicrotesla != nil)
        let steps = #"{"steps": 4, \#(Self.desk)}"#
        let empty = try await send(steps, phone, ingest)
        #expect(empty.status == 400 && empty["rejected.0.code"] == "nothing-heard")
        for (count, status) in [(199, 202), (200, 400)] {
            let list = (0..<count).map { number in
                #"{"address": "02:00:00:00:01:\#(number < 16 ? "0" : "")"#
                    + #"\#(String(number, radix: 16))", "rssi": -50}"#
            }.joined(separator: ",")
            let many = Self.tap(#""ble": [\#(list)]"#)
            let answer = try await send(many, phone, ingest)
            #expect(answer.status == status)
            #expect(answer["rejected.0.code"] == (status == 202 ? nil : "too-many-readings"))
        }
    }

    @Test("may be sent again, and its id stands for nothing else")
    func again() async throws {
        let ingest = try await IngestBench()
        let phone = ingest.phone()
        for _ in 0..<2 {
            #expect(try await send(Self.tap(IngestBench.id(1)), phone, ingest).status == 202)
        }
        #expect(try await stored(ingest).count == 1)
        let other = Self.tap(IngestBench.id(1)).replacing("-50", with: "-51")
        #expect(try await send(other, phone, ingest).status == 409)
        let scan = Self.tap(IngestBench.id(1)).replacing("\(Self.desk), ", with: "")
        #expect(try await ingest.send(scan, phone).status == 409)
    }

    @Test("of an erased device is refused, and so is one at a testers' site")
    func erased() async throws {
        let ingest = try await IngestBench()
        ingest.erased.replace(
            with: ErasedDevices([
                DeviceErased(
                    id: EventID(high: 1, low: 1), site: Self.site, device: DeviceID("phone"),
                    at: ServiceBench.start)
            ]))
        let answer = try await send(Self.tap(), ingest.phone(), ingest)
        #expect(answer.status == 410 && answer["rejected.0.code"] == "device-erased")
        let testers = SiteID("\(Self.site).test")
        ingest.bench.publish(SampleSite.index, as: testers)
        let tester = ingest.bench.issue(.tester, site: Self.site)
        let there = try await send(Self.tap(#""site": "\#(testers)""#), tester, ingest)
        #expect(there.status == 403 && there["rejected.0.code"] == "testers-site")
    }

    @Test("is answered 503 with Retry-After where the log is full, and may then be sent again")
    func full() async throws {
        let ingest = try await IngestBench(queuedRecords: 1)
        let both = "[\(Self.tap(IngestBench.id(1))), \(Self.tap(IngestBench.id(2)))]"
        let phone = ingest.phone()
        let answer = try await send(both, phone, ingest)
        #expect(answer.status == 503 && answer.code == "log-behind")
        #expect(answer.headers["retry-after"] != nil)
        #expect(try await send(Self.tap(IngestBench.id(1)), phone, ingest).status == 202)
        #expect(try await stored(ingest).count == 1)
        let starting = try await IngestBench(isStarting: true)
        let token = starting.bench.issue(
            .device, site: Self.site, device: DeviceID("phone"))
        #expect(try await send(Self.tap(), token, starting).status == 503)
    }

    @Test("counts against the quota of a minute: over it 429, also in a batch; again is free")
    func quota() async throws {
        let ingest = try await IngestBench()
        let phone = ingest.phone()
        let six = (1...6).map { Self.tap(IngestBench.id($0)) }.joined(separator: ",")
        #expect(try await send("[\(six)]", phone, ingest)["accepted"] == "6")
        #expect(try await send("[\(six)]", phone, ingest)["accepted"] == "6")
        let seventh = try await send(Self.tap(IngestBench.id(7)), phone, ingest)
        #expect(seventh.status == 429 && seventh["rejected.0.code"] == "quota-exceeded")
        #expect(seventh.text.contains("6 taps a minute and 100 a day"), "\(seventh.text)")
        #expect(seventh.headers["retry-after"] == "10")
        ingest.bench.pass(seconds: 10)
        #expect(try await send(Self.tap(IngestBench.id(7)), phone, ingest).status == 202)
        let surveyor = ingest.bench.issue(
            .surveyor, site: Self.site, device: DeviceID("tablet"))
        let ten = (11...20).map { Self.tap(IngestBench.id($0)) }.joined(separator: ",")
        #expect(try await send("[\(ten)]", surveyor, ingest)["accepted"] == "10")
    }

    @Test("counts once more for each copy that comes before the log has the first")
    func copies() async throws {
        let ingest = try await IngestBench()
        let phone = ingest.phone()
        let tap = Self.tap(IngestBench.id(1))
        let copies = (0..<7).map { _ in tap }.joined(separator: ",")
        let answer = try await send("[\(copies)]", phone, ingest)
        #expect(answer["accepted"] == "6" && answer["rejected.0.code"] == "quota-exceeded")
        #expect(try await send(tap, phone, ingest).status == 202)
        #expect(try await stored(ingest).count == 6)
    }

    @Test("of visitors counts by address, too, since anybody can begin many sessions")
    func address() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        for number in 0..<60 {
            _ = try accept(Self.tap(), of: Self.visitor(number), ingest)
        }
        #expect(
            code { _ = try accept(Self.tap(), of: Self.visitor(60), ingest) } == "quota-exceeded")
        #expect(
            code {
                _ = try accept(Self.tap(), of: Self.visitor(60), ingest, address: "10.0.0.2")
            } == nil)
    }
}
