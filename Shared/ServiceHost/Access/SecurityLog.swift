public import Events
public import HTTP
public import ServiceRuntime
import Synchronization
import Wire

/// The log of security events. Each is one line with the caller's id, and never a name or a secret.
/// `SecurityEvent` lists the kinds.
///
/// The same line of the same caller is written at most once a minute, with the number of times it
/// was left out. So a stranger's wrong tokens can't fill the disk.
public final class SecurityLog: Sendable {
    private static let windowMicroseconds: Int64 = 60_000_000
    /// The most lines that are remembered; at this number the memory is emptied.
    private static let rememberedLimit = 10_000
    /// The most lines a minute about wrong tokens and refusals, of all addresses together.
    private static let refusalLimit = 600

    private struct Noted {
        var since: Int64
        var leftOut = 0
    }

    private struct State {
        /// The time of each line, by its hash. Each process seeds its hashes, so nobody can
        /// construct two lines with one hash.
        var noted: [Int: Noted] = [:]
        var refusals = Noted(since: 0)
    }

    private let write: @Sendable (String) -> Void
    private let time: any TimeSource
    private let state = Mutex(State())

    /// - Parameter write: is called with each line and its line break.
    public init(time: any TimeSource, write: @escaping @Sendable (String) -> Void) {
        self.time = time
        self.write = write
    }

    convenience init(_ context: ServiceContext) {
        let isOn = context.configuration.text("WHEREABOUTS_SECURITY_LOG") == "on"
        self.init(time: context.time) { line in
            if isOn { Logger.writeToStandardError(line) }
        }
    }

    public func note(
        _ event: SecurityEvent, by request: HTTPRequest, _ fields: [String: String] = [:]
    ) {
        note(event, by: request.caller, fields)
    }

    /// Notes what somebody did whom the request does not name yet, such as a sign-in.
    public func note(
        _ event: SecurityEvent, by account: AccountID, _ fields: [String: String] = [:]
    ) {
        var fields = fields
        fields["caller"] = AccountChanged.keyPrefix + account.description
        fields["account"] = account.description
        note(event, fields)
    }

    func note(_ event: SecurityEvent, by caller: Caller?, _ fields: [String: String]) {
        var fields = fields
        fields["caller"] = caller?.id ?? "nobody"
        // A sign-in names the account of the person, and not that of an earlier session.
        fields["account"] = fields["account"] ?? caller?.account?.description
        note(event, fields)
    }

    public func note(_ refusal: RefusedRequest) {
        let now = time.nowMicroseconds
        let leftOut = state.withLock { state -> Int? in
            if now - state.refusals.since >= Self.windowMicroseconds {
                defer { state.refusals = Noted(since: now) }
                return state.refusals.leftOut
            }
            state.refusals.leftOut += 1
            return state.refusals.leftOut <= Self.refusalLimit ? 0 : nil
        }
        guard leftOut != nil else { return }
        note(
            refusal.code == "token-wrong" ? .badToken : .accessDenied,
            [
                "caller": refusal.principal?.id ?? "nobody", "code": refusal.code,
                "operation": "\(refusal.method) \(refusal.pattern)",
                "address": refusal.remoteAddress,
            ])
    }

    private func note(_ event: SecurityEvent, _ fields: [String: String]) {
        let sorted = fields.sorted { $0.key < $1.key }
        let key = Self.hash(event, sorted)
        let now = time.nowMicroseconds
        let leftOut = state.withLock { state -> Int? in
            if let noted = state.noted[key], now - noted.since < Self.windowMicroseconds {
                state.noted[key]?.leftOut += 1
                return nil
            }
            if state.noted.count >= Self.rememberedLimit { state.noted = [:] }
            let before = state.noted[key]?.leftOut ?? 0
            state.noted[key] = Noted(since: now)
            return before
        }
        guard let leftOut else { return }
        var values = Dictionary(sorted.map { ($0.key, LogValue.text($0.value)) }) { $1 }
        if leftOut > 0 { values["leftOut"] = .integer(leftOut) }
        write(
            LogLine(
                microseconds: now, level: .info, service: "security", message: event.rawValue,
                fields: values.sorted { $0.key < $1.key }
            ).json)
    }

    private static func hash(
        _ event: SecurityEvent, _ fields: [(key: String, value: String)]
    ) -> Int {
        var hasher = Hasher()
        hasher.combine(event)
        for (name, value) in fields {
            hasher.combine(name)
            hasher.combine(value)
        }
        return hasher.finalize()
    }
}
