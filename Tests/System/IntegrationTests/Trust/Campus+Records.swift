import TestSupport
import Testing

extension Campus {
    /// Whether any record of the log holds the text. Kafka's files are packed, so they are read
    /// through it.
    func recordsHold(_ text: String) async throws -> Bool {
        guard log == .kafka else { return false }
        let servers = kafka?.bootstrapServers ?? ""
        let listed = try await ProgramRun.of(["kcat", "-L", "-b", servers]).successful().output
        let topics = listed.matches(of: /topic "(whereabouts\.[^"]+)"/).map { String($0.1) }
        #expect(topics.count > 10)
        for topic in topics {
            let records = try await ProgramRun.of([
                "kcat", "-C", "-b", servers, "-t", topic, "-o", "beginning", "-e", "-q", "-f",
                "%k %h %s\\n",
            ]).successful().output
            if records.contains(text) { return true }
        }
        return false
    }
}
