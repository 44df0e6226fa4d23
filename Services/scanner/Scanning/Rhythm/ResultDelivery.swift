internal import Events
internal import ServiceRuntime
internal import Wire

/// Sends a scan that is not to be stored to who asked for it. It is never on a disk.
struct ResultDelivery: Sendable {
    private static let timeoutSeconds = 10.0
    private static let longestPauseSeconds = 2.0

    let server: any ScannerServer
    let time: any TimeSource
    let wait: @Sendable (_ seconds: Double) async -> Void

    /// Sends it until it has arrived, is refused, or the time of the request is over.
    func send(_ scan: ScanSubmission, _ task: ScannerTask) async {
        let limit = time.monotonicNanoseconds + Int64(task.secondsLeft * 1e9)
        var rules = SendingRules(seed: scan.id?.low ?? 0)
        while !Task.isCancelled {
            let now = Timestamp(microseconds: time.nowMicroseconds)
            let reply = await server.send(
                "POST", "/v1/scan-requests/\(task.id)/result",
                body: SpooledScan.sent(SpooledScan.bytes(scan), at: now),
                timeoutSeconds: Self.timeoutSeconds)
            let decision = rules.decide(reply, count: 1, isBatch: false)
            guard !decision.isSettled, time.monotonicNanoseconds < limit else { return }
            await wait(min(decision.pauseSeconds, Self.longestPauseSeconds))
        }
    }
}
