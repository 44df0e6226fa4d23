import Events
import ServiceBench
import ServiceHost
import Synchronization
import Testing
import Wire

@testable import SiteEditor

@Suite("The doctor and the services over HTTP") struct UpkeepRoutesTests {
    /// Counts the visits of a doctor who waits until a test lets him go.
    private final class Practice: Sendable {
        private let visits = Mutex(0)
        private let isOpen = Mutex(true)

        var count: Int { visits.withLock { $0 } }

        func open(_ isOpen: Bool) { self.isOpen.withLock { $0 = isOpen } }

        func findings() async -> [Finding] {
            let number = visits.withLock { count in
                count += 1
                return count
            }
            while !isOpen.withLock({ $0 }) { await Task.yield() }
            return [
                Finding("disk", .wrong, "visit \(number)", advice: "Make room"),
                Finding("log", .ok, "answers"),
            ]
        }
    }

    private func serve(
        _ bench: ServiceBench, _ practice: Practice, _ samples: [MetricSample] = []
    ) throws -> Served {
        try bench.serve(
            UpkeepRoutes(
                clock: bench.clock, findings: { await practice.findings() }, samples: { samples }
            ).all)
    }

    @Test("Only administrators of all sites see the doctor's findings")
    func roles() async throws {
        let (bench, practice) = (try await ServiceBench(), Practice())
        let app = try serve(bench, practice)
        let own = bench.issue(.administratorOfSite, site: EditorBench.site)
        #expect(try await app.send("GET", "/v1/doctor", token: own).code == "role-not-allowed")
        #expect(try await app.send("GET", "/v1/doctor").code == "token-missing")
        #expect(practice.count == 0)
        let all = bench.issue(.administrator)
        let first = try await app.send("GET", "/v1/doctor", token: all)
        #expect(first["isRunning"] == "true" && first["checks"] == "[]", "nobody waits for it")
        var seen = first
        while seen["isRunning"] == "true" {
            seen = try await app.send("GET", "/v1/doctor", token: all)
        }
        #expect(seen.status == 200 && seen["wrong"] == "1" && seen["isRunning"] == "false")
        #expect(seen["checks.0.advice"] == "Make room" && seen["at"] == ServiceBench.start.text)
        #expect(try await app.send("GET", "/v1/services", token: own).status == 200)
    }

    @Test("However many ask, the doctor looks once a minute, and meanwhile the last findings stand")
    func visits() async throws {
        let (bench, practice) = (try await ServiceBench(), Practice())
        let app = try serve(bench, practice)
        let all = bench.issue(.administrator)
        func look() async throws -> Answer {
            try await app.send("GET", "/v1/doctor", token: all)
        }
        /// Looks until no newer findings are being made.
        func finished() async throws -> Answer {
            var answer = try await look()
            while answer["isRunning"] == "true" { answer = try await look() }
            return answer
        }
        practice.open(false)
        #expect(try await look()["checks"] == "[]")
        #expect(try await look()["isRunning"] == "true")
        while practice.count == 0 { await Task.yield() }
        practice.open(true)
        #expect(try await finished()["checks.0.text"] == "visit 1")
        bench.pass(seconds: 59)
        #expect(try await look()["checks.0.text"] == "visit 1" && practice.count == 1)
        bench.pass(seconds: 1)
        practice.open(false)
        let during = try await look()
        #expect(during["checks.0.text"] == "visit 1" && during["isRunning"] == "true")
        _ = try await look()
        while practice.count == 1 { await Task.yield() }
        practice.open(true)
        #expect(try await finished()["checks.0.text"] == "visit 2" && practice.count == 2)
        // Findings of yesterday would mislead.
        bench.pass(seconds: 86_400)
        let late = try await look()
        #expect(late["checks"] == "[]" && late["isRunning"] == "true")
        #expect(try await finished()["checks.0.text"] == "visit 3")
    }

    @Test("Each process is listed with what fails in it and how far its consumers are behind")
    func services() async throws {
        let bench = try await ServiceBench()
        let samples = [
            MetricSample("up", ["service": "locator"], 1),
            MetricSample("whereabouts_ready", ["service": "locator"], 0),
            MetricSample("whereabouts_build_info", ["service": "locator", "version": "1.2"], 1),
            MetricSample("whereabouts_alarms", ["service": "locator", "work": "visits"], 1),
            MetricSample("whereabouts_alarms", ["service": "locator", "work": "positions"], 0),
            MetricSample(
                "whereabouts_lag_records",
                ["service": "locator", "group": "locator", "topic": "whereabouts.scans"], 12),
            MetricSample("up", ["service": "router"], 0),
        ]
        let app = try serve(bench, Practice(), samples)
        let token = bench.issue(.administratorOfSite, site: EditorBench.site)
        let answer = try await app.send("GET", "/v1/services", token: token)
        #expect(answer["services.0.service"] == "locator" && answer["services.0.isUp"] == "true")
        #expect(answer["services.0.isReady"] == "false" && answer["services.0.version"] == "1.2")
        #expect(answer["services.0.failing"] == #"["visits"]"#)
        #expect(answer["services.0.lag.0.records"] == "12")
        #expect(answer["services.0.lag.0.topic"] == "whereabouts.scans")
        #expect(answer["services.1.isUp"] == "false" && answer["services.1.lag"] == "[]")
        let surveyor = bench.issue(.surveyor, site: EditorBench.site)
        let refused = try await app.send("GET", "/v1/services", token: surveyor)
        #expect(refused.code == "role-not-allowed")
    }
}
