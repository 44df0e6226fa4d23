/// The environment without settings of our programs, which somebody may have exported for the tests
/// or for a program of their own.
///
/// A program with an inherited setting would not run as its caller thinks. It would refuse to start
/// with a `WHEREABOUTS_` variable that only tests read. The variables of other software stay.
public func withoutSettings(_ environment: [String: String]) -> [String: String] {
    environment.filter { name, _ in !settings.contains { name.hasPrefix($0) } }
}

private let settings = ["WHEREABOUTS_", "KAFKA_", "DATABASE_URL"]
