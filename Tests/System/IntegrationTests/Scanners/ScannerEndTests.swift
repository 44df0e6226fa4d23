import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    /// The program `scanner` against running services: from its code to the end of its token.
    @Suite("A scanner, end to end", .timeLimit(.minutes(10))) struct ScannerEndTests {
        @Test("It enrols, scans when it is asked to, and keeps its spool when its token ends")
        func postgres() async throws { try await run(try await ScannerSite()) }

        @Test("It does so on Kafka", .enabled(if: RealKafka.isInstalled))
        func kafka() async throws {
            let kafka = try #require(RealKafka.start(), "the broker did not start")
            try await run(try await ScannerSite(kafka: kafka))
        }

        private func run(_ site: ScannerSite) async throws {
            try await enrolled(site)
            let scanner = try site.run("pi-7", intervalSeconds: 3_600)
            defer { scanner.end(with: SIGKILL) }
            try await eventually("the first scan is sent: \(site.log("pi-7"))") {
                site.status("pi-7")["sent"] as? Int == 1
            }
            try await alone(site)
            try await asked(site)
            try await stored(site)
            try await cancelled(site)
            scanner.end(with: SIGTERM)
            #expect(scanner.exitStatus == 0)
            try await seen(site)
            try await revoked(site)
            #expect(site.campus.areAllRunning)
        }

        /// A code works once, and the token of the first one stays.
        private func enrolled(_ site: ScannerSite) async throws {
            let code = try await site.code("pi-7")
            let first = try await site.enrol("pi-7", code)
            #expect(first.status == 0 && first.errors.contains("enrolled as pi-7 of small"))
            let file = "\(site.state("pi-7"))/enrolment.json"
            let kept = try Data(contentsOf: URL(filePath: file))
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
            #expect(mode as? Int == 0o600)
            let second = try await site.enrol("pi-7", code)
            #expect(second.status == 1 && second.errors.contains("enrolment-code-unknown"))
            #expect(try Data(contentsOf: URL(filePath: file)) == kept)
        }

        /// A second scanner on the folder ends at once, in one line. The first one goes on.
        private func alone(_ site: ScannerSite) async throws {
            let second = try await ProgramRun.of([
                builtProgram("scanner"), "run", "--state", site.state("pi-7"), "--from", "-",
            ])
            #expect(second.status == 1 && second.output.isEmpty)
            #expect(
                second.errors
                    == "a scanner already runs on the folder \(site.state("pi-7"))\n")
        }

        /// The scan tool starts within 200 ms, and the position comes back.
        private func asked(_ site: ScannerSite) async throws {
            var (starts, ends): ([Double], [Double]) = ([], [])
            for _ in 0..<10 {
                let before = site.starts.count
                let (id, at) = try await site.ask(["scanner": "pi-7"])
                let answer = try await site.result(id)
                ends.append(Date().timeIntervalSince1970 - at)
                let results = answer.json["results"] as? [[String: Any]]
                #expect(results?.first?["state"] as? String == "answered", "\(answer.text)")
                let position = results?.first?["position"] as? [String: Any]
                #expect(position?["room"] as? String == "a", "\(answer.text)")
                let began = site.starts
                try #require(began.count == before + 1)
                starts.append(began[before].at - at)
            }
            let (start, end) = (starts.sorted()[5], ends.sorted()[5])
            print(
                "scanner, \(site.campus.log): tool's start \(start * 1_000) ms after the "
                    + "request, position at the asker \(end * 1_000) ms (medians of 10)")
            #expect(start < 0.2)
        }

        /// A survey goes through the spool, with the request's place.
        private func stored(_ site: ScannerSite) async throws {
            let (id, _) = try await site.ask([
                "scanner": "pi-7", "store": true, "place": ["location": "a-1"],
            ])
            let answer = try await site.result(id)
            let result = (answer.json["results"] as? [[String: Any]])?.first
            #expect(result?["state"] as? String == "stored", "\(answer.text)")
            let scan = result?["scanId"] as? String ?? "none"
            try await eventually("the survey \(scan) is listed") {
                try await site.campus.send(
                    "GET", "/v1/sites/\(SmallSite.name)/surveys", token: site.site.administrator
                ).text.contains(scan)
            }
        }

        /// The scan tool ends with its request.
        private func cancelled(_ site: ScannerSite) async throws {
            try site.makeRadio(slow: true)
            let before = site.starts.count
            let (id, _) = try await site.ask(["scanner": "pi-7"])
            try await eventually("the tool runs") { site.starts.count > before }
            let tool = site.starts[before].process
            #expect(kill(tool, 0) == 0)
            let cancel = try await site.campus.send(
                "DELETE", "/v1/sites/\(SmallSite.name)/scan-requests/\(id)",
                token: site.site.surveyor)
            #expect(cancel.status == 204)
            try await eventually("the tool was stopped", seconds: 5) { kill(tool, 0) != 0 }
            #expect(try await site.result(id).code == "scan-request-cancelled")
            try site.makeRadio(slow: false)
        }

        /// Administrators see how the scanner did at its end.
        private func seen(_ site: ScannerSite) async throws {
            let list = try await site.campus.send(
                "GET", "/v1/sites/\(SmallSite.name)/enrolled-scanners",
                token: site.site.administrator)
            let scanner = (list.json["scanners"] as? [[String: Any]])?.first
            #expect(scanner?["scanner"] as? String == "pi-7", "\(list.text)")
            let health = scanner?["health"] as? [String: Any]
            #expect(health?["dropped"] as? Int == 0, "\(list.text)")
            // The scan of its start, and the survey. The others were not stored.
            #expect(health?["sent"] as? Int == 2, "\(list.text)")
            #expect(health?["server"] as? String == site.campus.url("whereabouts"))
        }

        /// A scanner without a valid token says so, goes on scanning, and loses nothing.
        private func revoked(_ site: ScannerSite) async throws {
            try await site.revoke("pi-7")
            let scanner = try site.run("pi-7", intervalSeconds: 1)
            defer { scanner.end(with: SIGKILL) }
            try await eventually("it says that its token is refused: \(site.log("pi-7"))") {
                site.faults("pi-7").contains { $0.contains("refuses this scanner's token (401") }
                    && site.status("pi-7")["waitingScans"] as? Int ?? 0 >= 5
            }
            let lines = site.log("pi-7").split(separator: "\n")
            #expect(lines.count { $0.contains("refuses this scanner's token") } == 1)
            scanner.end(with: SIGTERM)
            #expect(scanner.exitStatus == 0, "it stops politely")
            let waiting = site.status("pi-7")["waitingScans"] as? Int ?? 0
            #expect(waiting >= 5)
            let enrolled = try await site.enrol("pi-7", try await site.code("pi-7"))
            #expect(enrolled.status == 0, "\(enrolled.errors)")
            let again = try site.run("pi-7", intervalSeconds: 3_600)
            defer { again.end(with: SIGKILL) }
            try await eventually("what waited is sent: \(site.log("pi-7"))") {
                site.status("pi-7")["waitingScans"] as? Int == 0
                    && site.status("pi-7")["sent"] as? Int == waiting + 1
            }
            #expect(site.status("pi-7")["refused"] as? [String: Int] == [:])
        }
    }
}
