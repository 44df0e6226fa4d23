import ServiceHost
import ServiceRuntime

extension Command {
    /// Makes the topics, so that no service needs the right to make them.
    public static let topics = Command(
        name: "topics", summary: "make the log's topics, and set how long they keep records",
        help: """
            whereabouts topics

            Makes the topics that are missing, and sets the retention of all topics from the
            settings of the services. Services do that themselves where they have the right. Brokers
            with access rights (deploy/topic-rights.sh) forbid it: run this before the services
            start. It may be run again.
            """,
        run: { try await topics($0) })

    private static func topics(_ invocation: Invocation) async throws {
        guard invocation.arguments.isEmpty else { throw UsageFault("topics has no arguments") }
        let topics = try await Host.makeTopics(
            environment: ServiceProgram.processEnvironment, settings: ServiceProgram.serviceSettings
        )
        invocation.output("{\"topics\":\(topics.count)}")
    }
}
