import Foundation

/// The kinds of log that tests may use: those that `WHEREABOUTS_TEST_LOGS` names, separated by
/// commas (`memory`, `postgres`, `kafka`), and without it all. With `memory` alone no server is
/// started.
public enum LogsToTest {
    private static let named: Set<Substring>? = {
        let text = ProcessInfo.processInfo.environment["WHEREABOUTS_TEST_LOGS"] ?? ""
        return text.isEmpty ? nil : Set(text.split(separator: ","))
    }()

    /// Why this kind is left out; nil where it is not.
    public static func obstacle(_ kind: String) -> String? {
        guard let named, !named.contains(Substring(kind)) else { return nil }
        return "WHEREABOUTS_TEST_LOGS asks for \(named.sorted().joined(separator: ",")) only"
    }
}
