import ServiceHost
import ServiceRuntime

extension Command {
    /// Makes the topics, so that no service needs the right to.
    public static let topics = Command(
        name: "topics", summary: "make the log's topics, and set how long they keep records",
        help: """
            whereabouts topics

            Makes the topics that are missing and gives those that are there the retention that the
            settings of the services say. Services do that themselves where they may; on brokers with
            rights they may not (deploy/topic-rights.sh), and this runs before them. It may be run again.
            """,
        run: { try await topics($0) })

    private static func topics(_ invocation: Invocation) async throws {
        guard invocation.arguments.isEmpty else { throw UsageFault("topics takes no arguments") }
        let topics = try await Host.makeTopics(
            environment: ServiceProgram.processEnvironment, settings: ServiceProgram.serviceSettings
        )
        invocation.output("{\"topics\":\(topics.count)}")
    }
}
