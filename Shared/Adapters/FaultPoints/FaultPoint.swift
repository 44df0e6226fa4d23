import Glibc
import Synchronization

/// Named points at which a test can kill the process or make it misbehave.
///
/// `WHEREABOUTS_FAULT=<name>:<one in>` sends the process SIGKILL at this point with probability
/// 1/`one in`. `<name>:@<count>` does so when the point is reached for the count-th time.
/// `WHEREABOUTS_PLANTED=<name>` switches a known mistake on, so that a test can show that it
/// notices. Without these variables a point costs one comparison. The variables are for tests only
/// and are in no example configuration.
public enum FaultPoint: String, CaseIterable, Sendable {
    /// A processor has appended its outputs but not yet committed its offsets.
    case insideTransaction = "inside-transaction"
    /// A projector has written its rows but not yet committed them.
    case rowsBeforeCommit = "rows-before-commit"
    /// The log has acknowledged a scan, but the client has no answer yet.
    case appendedBeforeAnswer = "appended-before-answer"
    /// The outbox has appended an event but not yet marked it as sent.
    case outboxAppended = "outbox-appended"

    /// Kills the process here if the environment asks for it.
    public func reached() {
        guard let armed = Self.armed, armed.point == self else { return }
        let isTime =
            switch armed.moment {
            case .chance(let oneIn): UInt32.random(in: 0..<oneIn) == 0
            case .count(let wanted): Self.visits.add(1, ordering: .relaxed).newValue == wanted
            }
        if isTime { kill(getpid(), SIGKILL) }
    }

    /// Whether the environment asks for a kill at this point.
    public var isArmed: Bool { Self.armed?.point == self }

    private enum Moment {
        case chance(oneIn: UInt32)
        case count(UInt32)
    }

    private static let visits = Atomic<UInt32>(0)

    private static let armed: (point: FaultPoint, moment: Moment)? = {
        guard let text = environment("WHEREABOUTS_FAULT") else { return nil }
        let parts = text.split(separator: ":")
        guard parts.count == 2, let point = FaultPoint(rawValue: String(parts[0])) else {
            return nil
        }
        if parts[1].first == "@", let count = UInt32(parts[1].dropFirst()) {
            return (point, .count(count))
        }
        guard let oneIn = UInt32(parts[1]), oneIn > 0 else { return nil }
        return (point, .chance(oneIn: oneIn))
    }()
}

/// A mistake that a test can switch on to check that the test notices it.
public enum PlantedMistake: String, Sendable {
    /// A projector commits its position before its rows, so a crash in between loses rows.
    case offsetsBeforeRows = "offsets-before-rows"
    /// An SSID keeps its U+0000, which PostgreSQL can't store. A projector then retries the batch
    /// for ever, so one survey stops all radio maps.
    case zeroBytesInSSIDs = "zero-bytes-in-ssids"
    /// A page's cursor accepts any number as a time, and the database's writer subtracts from it
    /// without a check.
    case uncheckedCursor = "unchecked-cursor"
    /// The JSON writer writes the colon after a name without reserving room for it.
    case uncheckedColon = "unchecked-colon"

    public var isPlanted: Bool { Self.planted == self }

    private static let planted = environment("WHEREABOUTS_PLANTED")
        .flatMap(PlantedMistake.init(rawValue:))
}

private func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
