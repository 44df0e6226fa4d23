import Synchronization

/// Whether one part of a service can do its work.
public enum HealthState: Sendable, Hashable {
    case starting
    case ready
    case failing(reason: String)
}

/// A handle with which one part sets its state. It is cheap and works on any thread.
public final class HealthCheck: Sendable {
    public let name: String
    private let stored: Mutex<HealthState>

    init(name: String, state: HealthState) {
        self.name = name
        stored = Mutex(state)
    }

    public var state: HealthState { stored.withLock { $0 } }
    public func set(_ state: HealthState) { stored.withLock { $0 = state } }
}

/// The parts of a service and their states, which /readyz reports.
public final class HealthRegistry: Sendable {
    private let checks = Mutex<[HealthCheck]>([])

    public init() {}

    /// The check of this name. It is created at the first call.
    public func check(_ name: String, initially state: HealthState = .starting) -> HealthCheck {
        checks.withLock { checks in
            if let known = checks.first(where: { $0.name == name }) { return known }
            let check = HealthCheck(name: name, state: state)
            checks.append(check)
            return check
        }
    }

    /// The state of every check, in the order of creation.
    public var states: [(name: String, state: HealthState)] {
        checks.withLock { $0 }.map { ($0.name, $0.state) }
    }

    public var isReady: Bool { states.allSatisfy { $0.state == .ready } }

    /// `{"ready":false,"checks":[{"name":"log","state":"failing","reason":"…"}]}`
    public var summaryJSON: String {
        let states = states
        var text = "{\"ready\":\(states.allSatisfy { $0.state == .ready }),\"checks\":["
        for (index, check) in states.enumerated() {
            if index > 0 { text += "," }
            text += "{\"name\":"
            LogJSON.append(check.name, to: &text)
            switch check.state {
            case .starting: text += ",\"state\":\"starting\"}"
            case .ready: text += ",\"state\":\"ready\"}"
            case .failing(let reason):
                text += ",\"state\":\"failing\",\"reason\":"
                LogJSON.append(reason, to: &text)
                text += "}"
            }
        }
        return text + "]}"
    }
}
