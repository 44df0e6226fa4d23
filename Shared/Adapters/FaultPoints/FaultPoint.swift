import Glibc

/// Named places at which a test can have the process die, or misbehave, on purpose.
///
/// `WHEREABOUTS_FAULT=<name>:<one in>` makes the process send itself SIGKILL with the probability
/// 1/`one in` whenever it reaches the place. `WHEREABOUTS_PLANTED=<name>` switches a known mistake
/// on, so that a test harness can show that it notices. Without the variables a place costs one
/// comparison; they belong to tests and are in no example configuration.
public enum FaultPoint: String, CaseIterable, Sendable {
    /// A processor has appended its outputs but not committed its offsets.
    case insideTransaction = "inside-transaction"
    /// A projector has written its rows but not committed them.
    case rowsBeforeCommit = "rows-before-commit"
    /// The log has acknowledged a scan, the client has not been told.
    case appendedBeforeAnswer = "appended-before-answer"
    /// The outbox has appended an event but not marked it as sent.
    case outboxAppended = "outbox-appended"

    /// Dies here when the environment asks for it.
    public func reached() {
        guard let armed = Self.armed, armed.point == self else { return }
        if UInt32.random(in: 0..<armed.oneIn) == 0 { kill(getpid(), SIGKILL) }
    }

    private static let armed: (point: FaultPoint, oneIn: UInt32)? = {
        guard let text = environment("WHEREABOUTS_FAULT") else { return nil }
        let parts = text.split(separator: ":")
        guard parts.count == 2, let point = FaultPoint(rawValue: String(parts[0])),
            let oneIn = UInt32(parts[1]), oneIn > 0
        else { return nil }
        return (point, oneIn)
    }()
}

/// A mistake that a test can switch on to see that its harness notices.
public enum PlantedMistake: String, Sendable {
    /// A projector commits its position before its rows, so that a crash between loses rows.
    case offsetsBeforeRows = "offsets-before-rows"

    public var isPlanted: Bool { Self.planted == self }

    private static let planted = environment("WHEREABOUTS_PLANTED")
        .flatMap(PlantedMistake.init(rawValue:))
}

private func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
