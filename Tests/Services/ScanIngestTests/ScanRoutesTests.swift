import Events
import MemoryLog
import ServiceBench
import Testing

@testable import ScanIngest

@Suite("POST /v1/scans") struct ScanRoutesTests {
    private static func scan(_ members: String = "") -> String { IngestBench.scan(members) }

    @Test(
        "appends a device's scan to the log, under its site and a new id, and answers 202",
        arguments: Transport.allCases)
    func accepted(over transport: Transport) async throws {
        let ingest = try await IngestBench(over: transport)
        let answer = try await ingest.send(Self.scan(), ingest.phone())
        #expect(answer.status == 202 && answer["accepted"] == "1")
        let scans = try await ingest.scans()
        try #require(scans.count == 1)
        #expect(scans[0].id == EventID(high: 1, low: 1))
        #expect(scans[0].site == IngestBench.site && scans[0].device == DeviceID("phone"))
        #expect(scans[0].content.wifi.map(\.rssi) == [-50])
        await ingest.app.stop()
    }

    @Test("lists the rejected scans of a batch with the reasons, and accepts the others")
    func batch() async throws {
        let ingest = try await IngestBench()
        let body = """
            [\(Self.scan()), \(Self.scan(#""device": "other""#)), {"wifi": []}, \(Self.scan())]
            """
        let answer = try await ingest.send(body, ingest.phone())
        #expect(answer.status == 202 && answer["accepted"] == "2")
        #expect(answer["rejected.0.index"] == "1")
        #expect(answer["rejected.0.code"] == "device-not-yours")
        #expect(answer["rejected.1.index"] == "2")
        #expect(answer["rejected.1.code"] == "nothing-heard")
        #expect(answer["rejected.2"] == nil)
        #expect(try await ingest.scans().count == 2)
    }

    @Test("rejects a scan with a place, which would be stored without")
    func place() async throws {
        let ingest = try await IngestBench()
        let place = #""place": {"location": "desk"}"#
        let body = "[\(Self.scan(place)), \(Self.scan(#""place": null"#))]"
        let surveyor = ingest.bench.issue(
            .surveyor, site: IngestBench.site, device: DeviceID("tablet"))
        for token in [ingest.phone(), surveyor] {
            let answer = try await ingest.send(body, token)
            #expect(answer.status == 202 && answer["accepted"] == "1", "\(answer.text)")
            #expect(answer["rejected.0.index"] == "0")
            #expect(answer["rejected.0.code"] == "field-unknown")
            #expect(answer["rejected.0.detail"]?.contains("/v1/surveys") == true)
        }
        #expect(try await ingest.scans().count == 2)
        #expect(try await ingest.surveys().isEmpty)
    }

    @Test("has the status that all rejections of a batch share, and 400 where they differ")
    func sharedStatus() async throws {
        let ingest = try await IngestBench()
        let (token, foreign) = (ingest.phone(), Self.scan(#""device": "other""#))
        #expect(try await ingest.send("[\(foreign), \(foreign)]", token).status == 403)
        #expect(try await ingest.send(#"[\#(foreign), {"wifi": []}]"#, token).status == 400)
        #expect(try await ingest.scans().isEmpty)
    }

    @Test("refuses a body that is not a scan with one problem")
    func noScan() async throws {
        let ingest = try await IngestBench()
        let answer = try await ingest.send(#"{"wifi": ["#, ingest.phone())
        #expect(answer.status == 400 && answer.code != nil && answer["rejected"] == nil)
        let empty = try await ingest.send("[]", ingest.phone())
        #expect(empty.code == "body-empty")
    }

    @Test("answers 503 while the sites and tokens are still being read")
    func starting() async throws {
        let ingest = try await IngestBench(isStarting: true)
        let early = try await ingest.send(Self.scan(), "token")
        #expect(early.status == 503 && early.code == "starting")
        // The tokens are here before the sites are.
        let late = try await ingest.send(Self.scan(), ingest.phone())
        #expect(late.status == 503 && late.code == "starting")
    }

    @Test("parses a large batch on another thread, and accepts all of it")
    func large() async throws {
        let ingest = try await IngestBench()
        let body = "[" + Array(repeating: Self.scan(), count: 800).joined(separator: ",") + "]"
        try #require(body.utf8.count > LargeBodies.inlineBytes)
        let gateway = ingest.bench.issue(
            .gateway, site: IngestBench.site, device: DeviceID("gate"))
        let answer = try await ingest.send(body, gateway)
        #expect(answer["accepted"] == "800")
        #expect(Set(try await ingest.scans().map(\.id)).count == 800)
    }
}

@Suite("A scan that is sent again") struct RepeatedScanTests {
    @Test("is accepted and not appended once more")
    func same() async throws {
        let ingest = try await IngestBench()
        let (token, scan) = (ingest.phone(), IngestBench.scan(IngestBench.id(1)))
        for _ in 0..<3 { #expect(try await ingest.send(scan, token).status == 202) }
        #expect(try await ingest.scans().count == 1)
    }

    @Test("with other content under the same id is refused, and the first one stays")
    func other() async throws {
        let ingest = try await IngestBench()
        let token = ingest.phone()
        _ = try await ingest.send(IngestBench.scan(IngestBench.id(1)), token)
        let answer = try await ingest.send(IngestBench.scan(IngestBench.id(1), rssi: -70), token)
        #expect(answer.status == 409 && answer["rejected.0.code"] == "id-conflict")
        #expect(try await ingest.scans().map { $0.content.wifi[0].rssi } == [-50])
    }
}

@Suite("While the log can't accept a scan") struct LogAwayTests {
    @Test("the answer is 503 and nothing is stored; later the same scan is accepted once")
    func away() async throws {
        let ingest = try await IngestBench()
        let (token, scan) = (ingest.phone(), IngestBench.scan(IngestBench.id(1)))
        ingest.bench.server.goAway()
        let refused = try await ingest.send(scan, token)
        #expect(refused.status == 503 && refused.code == "log-unreachable")
        #expect(refused.headers["retry-after"] == "2")
        ingest.bench.server.comeBack()
        #expect(try await ingest.scans().isEmpty)
        #expect(try await ingest.send(scan, token).status == 202)
        #expect(try await ingest.scans().count == 1)
    }

    @Test("its id stays free for other content")
    func freeID() async throws {
        let ingest = try await IngestBench()
        let token = ingest.phone()
        ingest.bench.server.goAway()
        _ = try await ingest.send(IngestBench.scan(IngestBench.id(1)), token)
        ingest.bench.server.comeBack()
        let answer = try await ingest.send(IngestBench.scan(IngestBench.id(1), rssi: -70), token)
        #expect(answer.status == 202)
        #expect(try await ingest.scans().map { $0.content.wifi[0].rssi } == [-70])
    }

    @Test("no 202 comes before the append: one that waits, and fails then, is answered 503")
    func held() async throws {
        let ingest = try await IngestBench()
        let token = ingest.phone()
        ingest.bench.server.holdAppends()
        async let answer = ingest.send(IngestBench.scan(), token)
        ingest.bench.server.goAway()
        ingest.bench.server.resumeAppends()
        #expect(try await answer.status == 503)
    }

    @Test("scans beyond the queue are refused at once, with the advice to send again")
    func full() async throws {
        let ingest = try await IngestBench(queuedRecords: 1)
        let (token, scan) = (ingest.phone(), IngestBench.scan())
        let answer = try await ingest.send("[\(scan), \(scan)]", token)
        #expect(answer.status == 503 && answer.code == "log-behind")
        #expect(try await ingest.send(scan, token).status == 202)
    }
}
