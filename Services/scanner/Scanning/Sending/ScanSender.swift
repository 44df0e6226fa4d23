internal import Events
internal import Spool
internal import Wire

/// Empties the spool to the server, surveys first, each queue in order.
struct ScanSender: Sendable {
    /// A batch may take this long; its answer comes after the log has it.
    private static let timeoutSeconds = 60.0

    private static let paths: [(SpoolQueue, String)] = [
        (.kept, "/v1/surveys"), (.droppable, "/v1/scans"), (.passing, "/v1/sightings"),
    ]

    let keeper: ScanKeeper
    let server: any ScannerServer
    let wait: @Sendable (_ seconds: Double) async -> Void

    /// Sends until the task is cancelled.
    ///
    /// - Parameter work: comes when there may be something to send.
    func run(seed: UInt64, work: AsyncStream<Void>) async {
        var rules = SendingRules(seed: seed)
        for await _ in work {
            await empty(&rules)
            if Task.isCancelled { return }
        }
    }

    /// Sends until all queues are empty.
    func empty(_ rules: inout SendingRules) async {
        // Queues whose records are put off and find no room. The others go first, and make room.
        var stuck: Set<SpoolQueue> = []
        var isSent = true
        while isSent, !Task.isCancelled {
            isSent = false
            for (queue, path) in Self.paths where !stuck.contains(queue) {
                let most = rules.batchRecords(of: queue)
                guard let batch = await keeper.batch(queue, atMost: most) else { continue }
                isSent = true
                let reply = await server.send(
                    "POST", path, body: batch.body, timeoutSeconds: Self.timeoutSeconds)
                if Task.isCancelled { return }
                let decision = rules.decide(reply, count: batch.records.count, of: queue)
                if await !keeper.settle(batch, decision) { stuck.insert(queue) }
                if decision.pauseSeconds > 0 { await wait(decision.pauseSeconds) }
            }
            if !isSent, !stuck.isEmpty {
                await wait(SendingRules.noRoomPauseSeconds)
                stuck = []
                isSent = true
            }
        }
    }
}
