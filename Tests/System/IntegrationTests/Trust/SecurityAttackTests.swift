import TestSupport
import Testing

extension IntegrationTests {
    /// Tests/System/SecurityAttacks: what a review found, attacked in three ways each by others than who mended it.
    @Suite("Attacks", .timeLimit(.minutes(25))) struct SecurityAttackTests {
        @Test("No attack on what the security review found gets through")
        func attacks() throws {
            let run = try PythonRun("SecurityAttacks/attacks.py", [])
            #expect(run.status == 0, "\(run.outcome)")
        }

        @Test(
            "Nobody who only passed by is in Kafka's topics or files",
            .enabled(if: RealKafka.isInstalled))
        func onKafka() throws {
            let run = try PythonRun("SecurityAttacks/attacks.py", ["--only", "E1", "--long"])
            #expect(run.status == 0, "\(run.outcome)")
        }
    }
}
