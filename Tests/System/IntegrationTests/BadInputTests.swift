import Foundation
import HTTPClient
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("Bad input over HTTP") struct BadInputTests {
        enum Sender: Sendable { case nobody, stranger, revoked, visitor, surveyor, device }

        struct Row: Sendable, CustomTestStringConvertible {
            var testDescription: String
            var status: Int
            var code: String
            var sender: Sender
            var method: String
            var path: String
            var body: [UInt8]

            init(
                _ name: String, _ status: Int, _ code: String, from sender: Sender = .device,
                _ method: String = "POST", _ path: String = "/v1/scans", body: [UInt8]
            ) {
                testDescription = name
                self.status = status
                self.code = code
                self.sender = sender
                self.method = method
                self.path = path
                self.body = body
            }

            init(
                _ name: String, _ status: Int, _ code: String, from sender: Sender = .device,
                _ path: String = "/v1/scans", scan changes: [String: Any]
            ) {
                self.init(
                    name, status, code, from: sender, "POST", path,
                    body: jsonText(SmallSite.scan(changes)))
            }
        }

        static let good = jsonText(SmallSite.scan())
        static let bodies = [
            Row("no body", 400, "body-empty", body: []),
            Row("blanks", 400, "body-empty", body: Array(" \n ".utf8)),
            Row("too large", 413, "body-too-large", body: Array(repeating: 32, count: 5_000_000)),
            Row("truncated", 400, "truncated", body: Array(good.dropLast(5))),
            Row("not JSON", 400, "not-json", body: Array("scanner=pi-1".utf8)),
            Row("a number", 400, "not-an-object", body: Array("17".utf8)),
            Row(
                "deeply nested", 400, "too-deep",
                body: Array(repeating: UInt8(ascii: "["), count: 50_000)
                    + Array(repeating: UInt8(ascii: "]"), count: 50_000)),
            Row(
                "not UTF-8", 400, "not-utf8",
                body: Array(#"{"device":""#.utf8) + [0xc3, 0x28] + Array(#""}"#.utf8)),
            Row(
                "1,001 scans", 413, "batch-too-large",
                body: Array(
                    ("[" + repeatElement("{}", count: 1_001).joined(separator: ",") + "]").utf8)),
        ]
        static let values = [
            Row(
                "a level above 0 dBm", 400, "rssi-out-of-range",
                scan: SmallSite.reading(["rssi": 1])),
            Row(
                "a level under -120 dBm", 400, "rssi-out-of-range",
                scan: SmallSite.reading(["rssi": -121])),
            Row(
                "a malformed address", 400, "bssid-malformed",
                scan: SmallSite.reading(["bssid": "00:62:ec:fd:ec"])),
            Row(
                "the nineteenth century", 400, "time-out-of-range",
                scan: ["at": "1888-11-21T08:00:00.000Z"]),
            Row(
                "the next century", 400, "time-out-of-range",
                scan: ["at": "2126-11-21T08:00:00.000Z"]),
            Row("no time", 400, "time-malformed", scan: ["at": "yesterday"]),
            Row("a malformed id", 400, "id-malformed", scan: ["id": "1"]),
            Row(
                "an unknown floor", 422, "floor-unknown", from: .surveyor, "/v1/surveys",
                scan: ["place": ["floor": "attic", "x": 1.0, "y": 1.0] as [String: Any]]),
            Row(
                "an unknown location", 422, "location-unknown", from: .surveyor, "/v1/surveys",
                scan: ["place": ["location": "nowhere"]]),
            Row(
                "an unknown scanner", 404, "scanner-unknown", from: .surveyor, "/v1/surveys",
                scan: [
                    "scanner": "pi-9", "device": "pi-9", "place": ["location": "nowhere"],
                ]),
            Row(
                "a survey without a place", 400, "place-missing", from: .surveyor, "/v1/surveys",
                scan: [:]),
        ]
        static let senders = [
            Row("no token", 401, "token-missing", from: .nobody, body: good),
            Row("a wrong token", 401, "token-wrong", from: .stranger, body: good),
            Row("a revoked token", 401, "token-wrong", from: .revoked, body: good),
            Row("a role that sends nothing", 403, "role-not-allowed", from: .visitor, body: good),
            Row(
                "the token of another device", 403, "device-not-yours",
                scan: ["device": "pi-2", "scanner": "pi-2"]),
            Row(
                "a survey of a device's own", 403, "scan-request-missing", "/v1/surveys",
                scan: ["place": ["location": "nowhere"]]),
            Row(
                "a surveyor who speaks for a device", 403, "device-not-yours", from: .surveyor,
                scan: [:]),
            Row(
                "a surveyor who says that a scanner heard for another device", 403,
                "device-not-yours", from: .surveyor, "/v1/surveys",
                scan: ["device": "pi-2", "place": ["location": "nowhere"]]),
            Row("the token of another site", 403, "site-not-yours", scan: ["site": "large"]),
            Row("a wrong method", 405, "method-not-allowed", "GET", body: []),
            Row("an unknown path", 404, "not-found", "GET", "/v1/nothing", body: []),
        ]

        @Test(
            "Each bad request gets its status and a stable code",
            arguments: bodies + values + senders)
        func row(_ row: Row) async throws {
            let site = try await SmallSite.shared.value
            let token: String? =
                switch row.sender {
                case .nobody: nil
                case .stranger: "nobody"
                case .revoked: site.revoked
                case .visitor: site.visitor
                case .surveyor: site.surveyor
                case .device: site.device
                }
            var sent: Answer?
            for attempt in 0..<5 where sent == nil {
                do {
                    sent = try await site.campus.send(
                        row.method, row.path, token: token, body: row.body)
                } catch let error as HTTPClientError where attempt < 4 {
                    // A server that refuses a body hangs up; a client that is slow to begin may still
                    // be sending then, and never reads why.
                    #expect(error.code == "connection-lost" && row.status == 413, "\(error)")
                }
            }
            let answer = try #require(sent)
            #expect(answer.status == row.status, "\(answer.text)")
            #expect(answer.code == row.code, "\(answer.text)")
            #expect(answer.headers["content-type"] == "application/problem+json")
            #expect(answer.json["type"] as? String == "urn:whereabouts:problem:\(row.code)")
        }

        @Test("A site that is not published is unknown")
        func unknownSite() async throws {
            let site = try await SmallSite.shared.value
            for (method, path) in [
                ("POST", "/v1/scans"), ("POST", "/v1/locate"), ("GET", "/v1/sites/nowhere/rooms"),
            ] {
                let answer = try await site.campus.send(
                    method, path, token: site.administrator,
                    body: method == "GET" ? [] : jsonText(SmallSite.scan(["site": "nowhere"])))
                #expect(answer.status == 404)
                #expect(answer.code == "site-unknown", "\(path): \(answer.text)")
            }
        }

        @Test(
            "One bad scan of a hundred names its index, and the others are kept",
            arguments: ["array", "lines"])
        func batch(form: String) async throws {
            let site = try await SmallSite.shared.value
            let ids = (0..<100).map { _ in UUID().uuidString.lowercased() }
            let scans = ids.enumerated().map { index, id in
                let changes = index == 41 ? SmallSite.reading(["rssi": 3]) : [:]
                let scan = SmallSite.scan(changes.merging(["id": id]) { $1 })
                return String(decoding: jsonText(scan), as: UTF8.self)
            }
            let body =
                form == "lines"
                ? scans.joined(separator: "\n") : "[\(scans.joined(separator: ","))]"
            let answer = try await site.campus.send(
                "POST", "/v1/scans", token: site.device, body: Array(body.utf8))
            #expect(answer.status == 202)
            #expect(answer.json["accepted"] as? Int == 99)
            let rejected = answer.json["rejected"] as? [[String: Any]] ?? []
            #expect(rejected.count == 1)
            #expect(rejected.first?["index"] as? Int == 41)
            #expect(rejected.first?["code"] as? String == "rssi-out-of-range")
            let kept = Set(ids).subtracting([ids[41]])
            try await eventually("the other 99 are located") {
                let located = try await site.campus.psql("SELECT scan_id FROM locator.positions")
                return kept.isSubset(of: located)
            }
            let located = try await site.campus.psql("SELECT scan_id FROM locator.positions")
            #expect(!located.contains(ids[41]))
        }

        @Test("The same id with other content is a conflict, alone and in a batch")
        func duplicate() async throws {
            let site = try await SmallSite.shared.value
            let id = UUID().uuidString.lowercased()
            let first = jsonText(SmallSite.scan(["id": id]))
            let other = jsonText(SmallSite.scan(["id": id, "steps": 99]))
            let fresh = jsonText(SmallSite.scan(["id": UUID().uuidString.lowercased()]))
            for (body, status) in [(first, 202), (first, 202), (other, 409)] {
                let answer = try await site.campus.send(
                    "POST", "/v1/scans", token: site.device, body: body)
                #expect(answer.status == status)
                if status == 409 { #expect(answer.code == "id-conflict") }
            }
            let batch = Array("[".utf8) + fresh + Array(",".utf8) + other + Array("]".utf8)
            let answer = try await site.campus.send(
                "POST", "/v1/scans", token: site.device, body: batch)
            #expect(answer.status == 202)
            #expect(answer.json["accepted"] as? Int == 1)
            let rejected = answer.json["rejected"] as? [[String: Any]] ?? []
            #expect(rejected.first?["index"] as? Int == 1)
            #expect(rejected.first?["code"] as? String == "id-conflict")
        }

        @Test("A record with the largest key and headers is still set aside, and the next goes on")
        func largestRecord() async throws {
            let site = try await SmallSite.shared.value
            let id = UUID().uuidString.lowercased()
            let long = String(repeating: "x", count: 950_000)
            let records = [
                RawRecord(
                    key: Array(long.utf8), value: nil,
                    headers: [("authorization", "Bearer \(site.device)")]),
                RawRecord(
                    key: nil, value: jsonText(SmallSite.scan(["id": id])),
                    headers: [("authorization", "Bearer \(site.device)")]),
            ]
            try await site.campus.append(records, to: "whereabouts.scans-inbound")
            let event = [
                (name: "ce_specversion", value: "1.0"), (name: "ce_type", value: "\(long).v1"),
            ]
            try await site.campus.append(
                [RawRecord(key: nil, value: [1], headers: event)], to: "whereabouts.scans")
            try await eventually("both are set aside") {
                let codes = try await site.campus.values(of: "whereabouts.dead-letters").compactMap
                { jsonObject(Array($0.utf8))["code"] as? String }
                return Set(codes).isSuperset(of: ["value-missing", "type-unknown"])
            }
            try await eventually("the scan behind them is located") {
                try await site.campus.psql(
                    "SELECT scan_id FROM locator.positions WHERE scan_id = '\(id)'") == [id]
            }
        }
    }
}
