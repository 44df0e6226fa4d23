import EventLog
import Postgres
import Testing

@testable import LogViews

@Suite struct FaultCauseTests {
    private struct Unknown: Error {}

    @Test(
        "PostgreSQL's error classes decide the cause of a fault",
        arguments: [
            ("22021", FaultCause.record), ("22003", .record), ("23505", .record),
            ("54000", .record), ("08006", .world), ("40001", .world), ("40P01", .world),
            ("53100", .world), ("55P03", .world), ("57014", .world), ("57P01", .world),
            ("58030", .world), ("25006", .world), ("42703", .ours), ("42P01", .ours),
            ("XX000", .ours), ("0A000", .ours), ("", .ours), ("28P01", .ours),
        ])
    func causes(state: String, cause: FaultCause) {
        #expect(FaultCause(PostgresError(sqlState: state, reason: "")) == cause)
    }

    @Test("Only a record that is too large is at fault, not a lost connection, the log or a stop")
    func otherCauses() {
        let lost = PostgresError(sqlState: "", reason: "", isConnectionLost: true)
        #expect(FaultCause(lost) == .world)
        #expect(FaultCause(EventLogError(.unavailable, "")) == .world)
        #expect(FaultCause(EventLogError(.fenced, "")) == .world)
        #expect(FaultCause(EventLogError(.tooLarge, "")) == .record)
        #expect(FaultCause(EventLogError(.partitionMismatch, "")) == .ours)
        #expect(FaultCause(CancellationError()) == .world)
        #expect(FaultCause(Unknown()) == .ours)
    }
}
