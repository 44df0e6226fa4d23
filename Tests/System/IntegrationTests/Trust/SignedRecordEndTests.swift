import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("Signed records of scans-inbound", .timeLimit(.minutes(5))) struct SignedRecords {
        /// A sender with a key of its own, made by the commands that docs/kafka.md shows.
        private struct Sender {
            let site: SmallSite
            let folder: URL
            let id: String

            init(_ site: SmallSite) async throws {
                self.site = site
                folder = try makeTemporaryFolder("signing")
                let made = try await site.campus.whereabouts(
                    "token", "create", "--role", "device", "--site", SmallSite.name, "--device",
                    "signer", "--signing-key", folder.appending(path: "key.pem").path)
                id = made.summary["id"] as? String ?? ""
            }

            /// The record with the headers that `whereabouts sign` prints for it.
            func signed(_ value: [UInt8]) async throws -> RawRecord {
                let file = folder.appending(path: "\(UUID().uuidString).json")
                try Data(value).write(to: file)
                let lines = try await site.campus.whereabouts(
                    "sign", file.path, "--key", folder.appending(path: "key.pem").path,
                    "--token-id", id, "--record-key", "signer"
                ).lines
                let headers = lines.map { line in
                    let parts = line.dropFirst("-H ".count).split(separator: "=", maxSplits: 1)
                    return (name: String(parts[0]), value: String(parts[1]))
                }
                return RawRecord(key: Array("signer".utf8), value: value, headers: headers)
            }

            /// The same with a shell and openssl alone, at a moment that `date` understands.
            func signedByShell(_ value: [UInt8], at moment: String) async throws -> RawRecord {
                let script = """
                    cd '\(folder.path)' && cat > shell.json && at=$(date -u -d '\(moment)' \
                    +%Y-%m-%dT%H:%M:%S.000Z)
                    { echo whereabouts.scans-inbound; echo "$at"
                      printf %s signer | sha256sum | cut -d' ' -f1
                      sha256sum < shell.json | cut -d' ' -f1; } > lines
                    openssl pkeyutl -sign -rawin -in lines -inkey key.pem | od -An -v -tx1 \
                    | tr -d ' \\n'
                    echo; echo "$at"
                    """
                let lines = try await ProgramRun.of(["sh", "-c", script], input: value).lines
                return RawRecord(
                    key: Array("signer".utf8), value: value,
                    headers: [
                        ("signed-by", id), ("signed-at", lines[1]), ("signature", lines[0]),
                    ])
            }
        }

        private func scan(_ id: String) -> [UInt8] {
            jsonText(SmallSite.scan(["id": id, "device": "signer", "scanner": "signer"]))
        }

        @Test("Signed ones are located; changed, stale and foreign ones are set aside")
        func signed() async throws {
            let site = try await SmallSite.shared.value
            let sender = try await Sender(site)
            let ids = (0..<3).map { _ in UUID().uuidString.lowercased() }
            let byCommand = try await sender.signed(scan(ids[0]))
            let byShell = try await sender.signedByShell(scan(ids[1]), at: "now")
            var changed = try await sender.signed(scan(UUID().uuidString.lowercased()))
            changed.value = scan(UUID().uuidString.lowercased())
            let stale = try await sender.signedByShell(
                scan(UUID().uuidString.lowercased()), at: "1 hour ago")
            let unsigned = RawRecord(
                key: Array("signer".utf8), value: scan(UUID().uuidString.lowercased()),
                headers: [("signed-by", sender.id)])
            var ofAnother = try await sender.signed(
                jsonText(SmallSite.scan(["id": ids[2], "device": "pi-1"])))
            ofAnother.key = Array("signer".utf8)
            try await site.campus.append(
                [changed, stale, unsigned, ofAnother, byCommand, byShell],
                to: "whereabouts.scans-inbound")
            try await eventually("what is signed is located", seconds: 60) {
                let located = try await site.campus.values(of: "whereabouts.positions")
                    .compactMap { jsonObject(Array($0.utf8))["scanId"] as? String }
                return Set(located).isSuperset(of: ids[..<2])
            }
            let letters = try await site.campus.values(of: "whereabouts.dead-letters")
                .map { jsonObject(Array($0.utf8)) }
                .filter { $0["key"] as? String == Data("signer".utf8).base64EncodedString() }
                .compactMap { $0["code"] as? String }
            #expect(
                letters.sorted()
                    == [
                        "device-not-yours", "signature-stale", "signature-wrong",
                        "signature-wrong",
                    ])
            for code in Set(letters) {
                #expect(site.campus.messages.contains("a record was set aside: \(code)"))
            }
        }

        @Test("A signed record that waited an hour among the dead letters can be put back")
        func putBack() async throws {
            let site = try await SmallSite.shared.value
            let sender = try await Sender(site)
            let id = UUID().uuidString.lowercased()
            // Nobody can wait an hour here: the record is signed an hour ago, and as if it had come then, and been
            // dropped by retention since, only the letter that is written by hand says when it came.
            let stale = try await sender.signedByShell(scan(id), at: "1 hour ago")
            try await site.campus.append([stale], to: "whereabouts.scans-inbound")
            let value = Data(stale.value ?? []).base64EncodedString()
            func letters() async throws -> [[String: Any]] {
                try await site.campus.values(of: "whereabouts.dead-letters")
                    .map { jsonObject(Array($0.utf8)) }.filter { $0["value"] as? String == value }
            }
            try await eventually("it is set aside") { try await !letters().isEmpty }
            var letter = try #require(try await letters().first)
            #expect(letter["code"] as? String == "signature-stale")
            let offset = try #require(letter["offset"] as? Int)
            let name = "whereabouts.scans-inbound/0/\(offset)"
            let signedAt = stale.headers.first { $0.name == "signed-at" }?.value
            letter.merge(["appendedAt": signedAt ?? "", "detail": id]) { $1 }
            func apply(_ arguments: String...) async throws -> ProgramRun {
                try await ProgramRun.of(
                    site.campus.program + ["dead-letters", "apply"] + arguments,
                    environment: site.campus.environment)
            }
            // While the log has the record, what a letter says beside it counts for nothing.
            try await site.campus.rewrite(
                "whereabouts.dead-letters", key: Array(name.utf8), value: jsonText(letter))
            let wrong = try await apply(name)
            #expect(wrong.output.contains("letter-wrong") && wrong.status == 1)
            #expect(wrong.summary["refused"] as? Int == 1)
            try await site.campus.append(
                [RawRecord(key: Array("signer".utf8), value: Array("later".utf8))],
                to: "whereabouts.scans-inbound")
            try await site.campus.forget(
                stale.value ?? [], of: "whereabouts.scans-inbound")
            let gone = try await apply("--everything")
            #expect(gone.output.contains("record-gone") && gone.status == 1)
            let outcome = try await apply(name)
            #expect(outcome.summary["putBack"] as? Int == 1, "\(outcome)")
            #expect(outcome.status == 0)
            let again = try await apply(name)
            #expect(again.summary["notMissing"] as? Int == 1 && again.status == 0)
            try await eventually("it is located", seconds: 60) {
                try await site.campus.values(of: "whereabouts.positions")
                    .contains { jsonObject(Array($0.utf8))["scanId"] as? String == id }
            }
        }

        @Test("The view of the topic shows neither signatures nor the tokens of former releases")
        func view() async throws {
            let site = try await SmallSite.shared.value
            let record = RawRecord(
                key: Array("former".utf8), value: scan(UUID().uuidString.lowercased()),
                headers: [("authorization", "Bearer \(site.device)"), ("ce_id", "shown")])
            try await site.campus.append([record], to: "whereabouts.scans-inbound")
            let shown = try await site.campus.psql(
                "SELECT headers FROM log.\"whereabouts.scans-inbound\" WHERE key = 'former'")
            #expect(shown.count == 1)
            #expect(shown[0].contains("authorization"))
            #expect(shown[0].contains("shown"))
            #expect(!shown[0].contains(site.device))
        }
    }
}
