import Foundation

/// The kinds of log that tests may use. `WHEREABOUTS_TEST_LOGS` names them, separated by commas
/// (`memory`, `postgres`, `kafka`); without it all are used. With `memory` alone no server starts.
public enum LogsToTest {
    private static let named: Set<Substring>? = {
        let text = ProcessInfo.processInfo.environment["WHEREABOUTS_TEST_LOGS"] ?? ""
        return text.isEmpty ? nil : Set(text.split(separator: ","))
    }()

    /// The reason why this kind is left out. Nil where it is used.
    public static func obstacle(_ kind: String) -> String? {
        guard let named, !named.contains(Substring(kind)) else { return nil }
        return "WHEREABOUTS_TEST_LOGS asks for \(named.sorted().joined(separator: ",")) only"
    }
}
