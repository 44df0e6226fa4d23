/// Starts components in order, keeps them running, and stops them in reverse.
///
/// The group ends when a signal comes (exit 0). It also ends when a component fails to start, fails
/// while it runs, or ends by itself (exit 1, with the reason logged).
public struct ServiceGroup: Sendable {
    private enum Event: Sendable {
        case started
        case signalled(String)
        case failed(component: String, reason: String)
    }

    private let components: [any Component]
    private let log: Logger
    private let stopLimit: Duration

    /// - Parameter stopLimit: how long each component may take to stop before the group goes on
    ///   without it.
    public init(_ components: [any Component], log: Logger, stopLimit: Duration = .seconds(10)) {
        self.components = components
        self.log = log
        self.stopLimit = stopLimit
    }

    /// Runs until a stop signal comes or a component fails.
    public func run(until signals: StopSignals) async -> ExitCode {
        let (events, continuation) = AsyncStream<Event>.makeStream()
        let listening = Task {
            if let name = await signals.wait() { continuation.yield(.signalled(name)) }
        }
        var runs: [Task<Void, Never>] = []
        var begun = 0
        var iterator = events.makeAsyncIterator()
        var last: Event?
        for component in components {
            begun += 1
            let starting = Task {
                do {
                    try await component.start()
                    continuation.yield(.started)
                } catch {
                    continuation.yield(.failed(component: component.name, reason: "\(error)"))
                }
            }
            last = await iterator.next()
            guard case .started = last else {
                starting.cancel()
                _ = await withTimeLimit(stopLimit) { await starting.value }
                break
            }
            runs.append(Self.keepRunning(component, reportingTo: continuation))
        }
        if begun == components.count, case .started = last ?? .started {
            log.info("started")
            last = await iterator.next()
        }
        listening.cancel()
        let code = report(last)
        await stop(Array(components[..<begun]), runs)
        log.info("stopped")
        return code
    }

    private static func keepRunning(
        _ component: any Component, reportingTo events: AsyncStream<Event>.Continuation
    ) -> Task<Void, Never> {
        Task {
            do {
                try await component.run()
                if !Task.isCancelled {
                    events.yield(
                        .failed(component: component.name, reason: "ended by itself"))
                }
            } catch {
                events.yield(.failed(component: component.name, reason: "\(error)"))
            }
        }
    }

    private func report(_ event: Event?) -> ExitCode {
        switch event {
        case .signalled(let name):
            log.info("stopping", ["signal": .text(name)])
            return .success
        case .failed(let component, let reason):
            log.error(
                "a component failed; stopping all",
                ["component": .text(component), "reason": .text(reason)])
            return .failure
        case .started, nil:
            return .failure
        }
    }

    private func stop(_ begun: [any Component], _ runs: [Task<Void, Never>]) async {
        for (index, component) in begun.enumerated().reversed() {
            let running = index < runs.count ? runs[index] : nil
            let ended: Void? = await withTimeLimit(stopLimit) {
                await component.stop()
                running?.cancel()
                await running?.value
            }
            running?.cancel()
            if ended == nil {
                log.warning(
                    "a component did not stop in time; left behind",
                    [
                        "component": .text(component.name),
                        "limit": .text(stopLimit.configurationText),
                    ])
            }
        }
    }
}
