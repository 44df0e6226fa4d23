import Testing

@testable import Commands

@Suite struct RouteCommandTests {
    @Test(
        "A way is told to the nearest minute, and takes one at least",
        arguments: [
            (0.0, "80 m, 1 min"), (61, "80 m, 1 min"), (89, "80 m, 1 min"), (91, "80 m, 2 min"),
        ])
    func length(_ seconds: Double, _ told: String) {
        #expect(spokenLength(metres: 79.6, seconds: seconds) == told)
    }
}
