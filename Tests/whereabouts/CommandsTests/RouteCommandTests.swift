import Testing

@testable import Commands

@Suite struct RouteCommandTests {
    @Test(
        "A way's time is rounded to the nearest minute, one at least",
        arguments: [
            (0.0, "80 m, 1 min"), (61, "80 m, 1 min"), (89, "80 m, 1 min"), (91, "80 m, 2 min"),
        ])
    func length(_ seconds: Double, _ text: String) {
        #expect(spokenLength(metres: 79.6, seconds: seconds) == text)
    }
}
