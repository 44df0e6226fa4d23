internal import Events
internal import Numbers
internal import Wire

/// Holds a long poll for scan requests, and begins each at once. Polling goes on meanwhile, which
/// tells the server that the request arrived.
struct RequestPoller: Sendable {
    static let waitSeconds = 25
    /// The server holds a poll for at most 30 s.
    private static let timeoutSeconds = 40.0
    private static let rememberedRequests = 256
    private static let firstPauseSeconds = 0.2

    let scanner: ScannerID
    let server: any ScannerServer
    let wait: @Sendable (_ seconds: Double) async -> Void
    /// Answers a request; it is cancelled if the request is.
    let begin: @Sendable (ScannerTask) async -> Void
    /// Called with the fault of polling, or nil when it works.
    let onFault: @Sendable (String?) async -> Void

    /// Polls until the task is cancelled.
    func run(seed: UInt64) async {
        await withDiscardingTaskGroup { group in
            var rules = SendingRules(seed: seed)
            var after = ""
            var running: [EventID: RunningRequest] = [:]
            var order: [EventID] = []
            while !Task.isCancelled {
                guard let poll = await poll(after, &rules) else { continue }
                after = poll.next
                for id in poll.cancelled { running[id]?.cancel() }
                for task in poll.tasks where running[task.id] == nil {
                    let request = RunningRequest()
                    running[task.id] = request
                    order.append(task.id)
                    if order.count > Self.rememberedRequests {
                        running[order.removeFirst()] = nil
                    }
                    group.addTask {
                        await request.run { await begin(task) }
                    }
                }
            }
            for request in running.values { request.cancel() }
        }
    }

    /// The server's answer; nil after a failure and its pause.
    private func poll(_ after: String, _ rules: inout SendingRules) async -> ScanRequestPoll? {
        let place = after.isEmpty ? "" : "after=\(after)&"
        let reply = await server.send(
            "GET", "/v1/scanners/\(scanner)/requests?\(place)wait=\(Self.waitSeconds)", body: [],
            timeoutSeconds: Self.timeoutSeconds)
        if Task.isCancelled { return nil }
        if case .answered(200, let body, _) = reply, let poll = try? ScanRequestPoll(json: body) {
            rules.reset()
            await onFault(nil)
            return poll
        }
        // A connection that broke once is soon made again: somebody may be asking.
        let isFirst = rules.isWell
        var pause = rules.pause()
        if isFirst { pause = min(pause, Self.firstPauseSeconds) }
        let fault: String
        switch reply {
        case .lost(let reason):
            fault = "scan requests can't be asked for: the server is not reached: \(reason)"
        case .answered(let status, let body, let retryAfter):
            let code = BatchReply(json: body).code ?? ""
            fault = "scan requests can't be asked for (\(status) \(code))"
            pause = max(pause, SendingRules.granted(retryAfter))
            if status == 401 || status == 403 { pause = SendingRules.refusedPauseSeconds }
        }
        await onFault(fault)
        await wait(pause)
        return nil
    }
}
