import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("The doctor") struct DoctorEndTests {
        private static let names: Set = [
            "settings", "whereabouts", "secret", "clock", "version", "postgresql", "topics", "lag",
            "transactions", "dead-letters", "backup", "certificate", "work-fails", "outbox-waits",
            "outbox-aside", "positioner", "quota", "privacy-rules", "database-transaction",
        ]

        @Test("Finds nothing wrong in a good installation, and names each fault of a bad one")
        func postgres() async throws {
            let postgres = try PrivatePostgres()
            defer { postgres.stop() }
            let campus = try await Campus(.postgres, .together, postgres: postgres)
            defer { _ = campus.stop() }
            var good = try await DoctorRun(campus)
            // Views and figures of a process that has just started may be a moment late.
            try await eventually("nothing is wrong: \(good.said)") {
                good = try await DoctorRun(campus)
                return good.names("wrong").isEmpty && good.names("ok").contains("privacy-rules")
            }
            #expect(Self.names.isSubset(of: Set(good.checks.map(\.name))), "\(good.said)")
            #expect(good.names("warning") == ["backup"], "\(good.said)")
            #expect(good.names("can't tell") == ["certificate"], "\(good.said)")

            let other = try await DoctorRun(
                campus,
                [
                    "WHEREABOUTS_SERVICE_SECRET": "another-secret-of-the-integration-tests",
                    "WHEREABOUTS_RETENTION_SCANS": "3d",
                ])
            #expect(other.status == 1)
            #expect(other.names("wrong") == ["secret"], "\(other.said)")
            #expect(
                other.checks.contains {
                    $0.name == "retention" && $0.result == "warning"
                        && $0.text.contains("whereabouts.scans is 604800 s, not 259200 s")
                }, "\(other.said)")

            let invalid = try await DoctorRun(campus, ["WHEREABOUTS_PARTITIONS": "many"])
            #expect(invalid.names("wrong") == ["settings"])
            #expect(invalid.said.contains("(it is \\\"many\\\")"), "\(invalid.said)")

            postgres.stop()
            let away = try await DoctorRun(campus)
            #expect(away.status == 1)
            #expect(away.names("wrong").isSuperset(of: ["postgresql", "log"]), "\(away.said)")
            try postgres.start()
        }

        @Test("Says which services do not run, and still checks the rest")
        func stopped() async throws {
            let campus = try await Campus(.postgres, .together)
            for (_, status) in campus.stop() { #expect(status == 0) }
            let run = try await DoctorRun(campus)
            #expect(run.status == 1)
            #expect(run.names("wrong") == ["whereabouts"], "\(run.said)")
            #expect(run.names("ok").isSuperset(of: ["postgresql", "topics", "lag"]), "\(run.said)")
            #expect(run.names("can't tell").contains("metrics"), "\(run.said)")
            // Settings that a service would refuse at its start.
            let lacking = try await DoctorRun(
                campus, ["WHEREABOUTS_ALARM_SMTP": "smtp://mail.example:587"])
            #expect(lacking.names("wrong").contains("settings"), "\(lacking.said)")
            #expect(lacking.said.contains("WHEREABOUTS_ALARM_MAIL is missing"), "\(lacking.said)")
        }
    }
}
