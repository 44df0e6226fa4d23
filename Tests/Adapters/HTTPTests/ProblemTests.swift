import HTTP
import Testing

@Suite("Problems") struct ProblemTests {
    @Test(
        "The detail of a 429 says when to try again, never too early",
        arguments: [
            (1, "1 second"), (2, "2 seconds"), (99, "99 seconds"), (100, "2 minutes"),
            (120, "2 minutes"), (121, "3 minutes"), (2_880, "48 minutes"), (6_000, "2 hours"),
            (86_400, "24 hours"), (0, "1 second"),
        ])
    func waits(seconds: Int, words: String) {
        let problem = Problem(
            status: 429, code: "busy", detail: "Too much.", retryAfterSeconds: seconds)
        #expect(problem.detail == "Too much. Try again in \(words).")
        // The answer of another service is passed on, and has its time already.
        let passedOn = Problem(
            status: 429, code: "busy", detail: problem.detail, retryAfterSeconds: seconds)
        #expect(passedOn == problem)
    }

    @Test("No other problem has a time in its detail")
    func others() {
        let without = Problem(status: 429, code: "busy", detail: "Too much.")
        #expect(without.detail == "Too much.")
        let away = Problem(status: 503, code: "away", detail: "Away.", retryAfterSeconds: 9)
        #expect(away.detail == "Away.")
    }
}
