import Foundation
import TestSupport
import Testing

extension PipelineScenario {
    // MARK: The log read again

    /// What was appended comes out as a file, and views made anew have the same rows.
    func exportsAndRebuilds() async throws {
        let file = campus.folder.appending(path: "exported.jsonl").path
        let since = began.addingTimeInterval(-5).formatted(.iso8601)
        _ = try await campus.whereabouts(
            "export", "scans", "--since", since, "--site", site, "--output", file)
        let exported = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            .map { jsonObject(Array($0.utf8))["id"] as? String ?? "" }
        let located = try await locatedInLog()
        #expect(exported.sorted() == located)

        let views = [
            ("positions", ["locator.positions", "locator.latest_positions"]),
            (
                "surveys",
                ["surveys", "measurements", "access_points"].map { "fingerprint_builder.\($0)" }
            ),
        ]
        for (view, tables) in views {
            let before = try await digests(tables)
            _ = try await campus.whereabouts("rebuild", view)
            let after = try await digests(tables)
            #expect(after == before, "\(view)")
        }
        // A digest of nothing would agree with anything.
        let planted = try await digests(["locator.latest_positions"])
        try await campus.psql(
            "UPDATE locator.latest_positions SET room = 'planted' WHERE site = '\(site)'")
        let changed = try await digests(["locator.latest_positions"])
        #expect(changed != planted)
        _ = try await campus.whereabouts("rebuild", "positions")
        let repaired = try await digests(["locator.latest_positions"])
        #expect(repaired == planted)
    }

    /// What each table holds of the site, whatever the order of its rows.
    private func digests(_ tables: [String]) async throws -> [String] {
        var digests: [String] = []
        for table in tables {
            digests += try await campus.psql(
                """
                SELECT count(*), md5(string_agg(row::text, ',' ORDER BY row::text COLLATE "C"))
                FROM \(table) row WHERE site = '\(site)'
                """)
        }
        return digests
    }

    // MARK: Who may send what

    func tokensSpeakForTheirDevices() async throws {
        let made = try await campus.whereabouts(
            "token", "create", "--role", "device", "--site", site, "--device", "walker-1"
        ).summary
        let token = try #require(made["token"] as? String)
        var own = try scan(device: "walker-1")
        own["id"] = UUID().uuidString.lowercased()
        try await eventually("the device's token is known") {
            try await post(own, token).status != 401
        }
        let foreign = try await post(try scan(device: "walker-2"), token)
        #expect(foreign.status == 403)
        #expect(foreign.code == "device-not-yours")

        // The same again is taken again, and located once.
        let repeated = try await post(own, token)
        #expect(repeated.status == 202)
        var other = own
        other["steps"] = 77
        let conflict = try await post(other, token)
        #expect(conflict.status == 409)
        #expect(conflict.code == "id-conflict")
        let id = own["id"] as? String
        try await eventually("the scan is located") {
            try await locatedInLog().contains { $0 == id }
        }
        // A second position would come before that of a later scan of the device.
        own["id"] = UUID().uuidString.lowercased()
        let later = own["id"] as? String
        #expect(try await post(own, token).status == 202)
        try await eventually("the later scan is located") {
            try await locatedInLog().contains { $0 == later }
        }
        let times = try await locatedInLog().count { $0 == id }
        #expect(times == 1)

        _ = try await campus.whereabouts(
            "token", "revoke", try #require(made["id"] as? String))
        try await eventually("the revoked token stops", seconds: 5) {
            try await post(own, token).code == "token-wrong"
        }
    }

    private func post(_ scan: [String: Any], _ token: String) async throws -> Answer {
        try await campus.send("POST", "/v1/scans", token: token, body: jsonText(scan))
    }

    // MARK: What others write to the log

    /// Good records on `scans-inbound` are located; the others, and garbage on `scans`, become dead
    /// letters with their reasons, and what comes after them goes on.
    func setsAsideWhatCannotBeRead() async throws {
        let sender = [(name: "authorization", value: "Bearer \(administrator)")]
        var good: [String] = []
        func goodRecord() throws -> RawRecord {
            var scan = try scan(device: "walker-2", index: good.count)
            let id = UUID().uuidString.lowercased()
            scan["id"] = id
            good.append(id)
            return RawRecord(key: Array("any".utf8), value: jsonText(scan), headers: sender)
        }
        let value = jsonText(try scan(device: "walker-2"))
        func mark(_ code: String) -> [UInt8] { Array("\(site)/\(code)".utf8) }
        let inbound = [
            try goodRecord(),
            RawRecord(key: mark("value-missing"), value: nil, headers: sender),
            RawRecord(key: mark("token-missing"), value: value),
            RawRecord(
                key: mark("token-wrong"), value: value,
                headers: [("authorization", "Bearer nobody")]),
            RawRecord(key: mark("not-json"), value: Array("garbage".utf8), headers: sender),
            RawRecord(
                key: mark("not-utf8"), value: Array("{\"\u{0}".utf8) + [0xff], headers: sender),
            RawRecord(key: mark("truncated"), value: Array(value.dropLast(9)), headers: sender),
            RawRecord(
                key: mark("site-unknown"),
                value: Array(#"{"device":"a","site":"nowhere","steps":1}"#.utf8),
                headers: sender),
            try goodRecord(),
        ]
        func event(_ type: String) -> [(name: String, value: String)] {
            [
                ("ce_specversion", "1.0"), ("ce_id", "1"), ("ce_source", "/test"),
                ("ce_type", "whereabouts.\(type)"),
            ]
        }
        let scans = [
            RawRecord(key: mark("headers-missing"), value: value),
            RawRecord(
                key: mark("version-too-new"), value: value, headers: event("scan-recorded.v9")),
            RawRecord(key: mark("type-unknown"), value: value, headers: event("nothing.v1")),
            RawRecord(
                key: mark("type-unexpected"), value: value, headers: event("token-issued.v1")),
            RawRecord(key: mark("value-missing"), value: nil, headers: event("scan-recorded.v1")),
            RawRecord(
                key: mark("not-json"), value: Array("garbage".utf8),
                headers: event("scan-recorded.v1")),
            RawRecord(
                key: mark("field-missing"), value: Array("{}".utf8),
                headers: event("scan-recorded.v1")),
        ]
        try await campus.append(scans, to: "whereabouts.scans")
        try await campus.append(inbound, to: "whereabouts.scans-inbound")
        for (topic, records) in [("scans-inbound", inbound), ("scans", scans)] {
            let marks = records.compactMap(\.key).filter { $0.starts(with: mark("")) }
            let codes = marks.map {
                String(decoding: $0.dropFirst(site.utf8.count + 1), as: UTF8.self)
            }
            // What is missing then shows in the comparison.
            try? await eventually("all bad records of \(topic) are set aside", seconds: 90) {
                try await deadLetters(of: topic).count >= codes.count
            }
            let found = try await deadLetters(of: topic)
            #expect(found.map(\.code).sorted() == codes.sorted(), "\(topic)")
            for letter in found { #expect(letter.key.hasSuffix("/\(letter.code)"), "\(topic)") }
        }
        try await eventually("the good records are located") {
            Set(try await locatedInLog()).isSuperset(of: good)
        }
        #expect(campus.areAllRunning)
    }

    private func deadLetters(of topic: String) async throws -> [(key: String, code: String)] {
        try await campus.values(of: "whereabouts.dead-letters").compactMap { line in
            let letter = jsonObject(Array(line.utf8))
            guard letter["topic"] as? String == "whereabouts.\(topic)",
                let key = (letter["key"] as? String).flatMap({ Data(base64Encoded: $0) })
            else { return nil }
            let text = String(decoding: key, as: UTF8.self)
            return text.hasPrefix(site) ? (text, letter["code"] as? String ?? "") : nil
        }
    }

    // MARK: Processes and tools

    /// Each process is well, and knows the paths that the table gives it and no other's.
    func eachServesItsOwn() async throws {
        let rows = PathTable.committed.rows
        for name in campus.names {
            let health = try await campus.health(of: name)
            #expect(health.status == 0, "\(name): \(health.errors)")
            let own = rows.filter { $0.owner == name }
            for row in rows {
                let answer = try await campus.ask(name, row.example)
                let isServed = !(answer.status == 404 && answer.code == "not-found")
                let isOwn = own.contains { $0.matches(row.example[...]) }
                #expect(isServed == isOwn, "\(name) \(row.pattern)")
            }
        }
    }

    /// Kafka's own console consumer reads positions as JSON.
    func consoleConsumerReads() async throws {
        guard let jars = RealKafka.jars else {
            print("skipped: Kafka's console consumer, its jars are not in ../shared/kafka")
            return
        }
        let expected = try await locatedInLog()
        let run = try await ProgramRun.of([
            "java", "-Xmx256m", "-cp", "\(jars)/*",
            "org.apache.kafka.tools.consumer.ConsoleConsumer", "--bootstrap-server",
            campus.kafka?.bootstrapServers ?? "", "--topic", Self.positions, "--from-beginning",
            "--isolation-level", "read_committed", "--timeout-ms", "15000",
            // The broker is this scenario's own: when it has so many, it need not wait for more.
            "--max-messages", "\(expected.count)",
        ])
        let seen = run.lines.map { jsonObject(Array($0.utf8)) }
            .filter { $0["site"] as? String == site }.compactMap { $0["scanId"] as? String }
        #expect(seen.sorted() == expected, "\(run.errors)")
    }
}
