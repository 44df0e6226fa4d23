import Events
import Foundation
public import Positioning
public import Site
import Synchronization
import Wire

/// A positioner that is a program in any language: `exec:COMMAND`. It reads and writes the lines of
/// docs/positioner-protocol.md.
///
/// Each radio map that is prepared has a process of its own, which ends with the value that
/// `prepare` returned. `prepare` and `locate` block, so a service calls them on a thread of its own
/// and never on the cooperative pool.
///
/// A scan without a correct answer in time counts as lost, and the program is started again. No
/// behaviour of the program makes `locate` fail or hang.
public struct ProgramPositioner: Positioner {
    /// The beginning of an option that names a command.
    public static let prefix = "exec:"

    /// How long a program may run and fail before it is restarted or given up.
    public struct Settings: Hashable, Sendable {
        /// The time limit for one scan.
        public var answerLimit: Duration
        /// The time limit for reading the radio map.
        public var readyLimit: Duration
        /// Failures in a row after which the program is given up; nil to restart it for ever.
        public var givesUpAfter: Int?
        /// Whether a scan waits during the pause before a restart. Otherwise it is lost at once.
        public var waitsForRestart: Bool
        public var mayUseNetwork: Bool

        public init(
            answerLimit: Duration, readyLimit: Duration, givesUpAfter: Int?, waitsForRestart: Bool,
            mayUseNetwork: Bool = false
        ) {
            self.answerLimit = answerLimit
            self.readyLimit = readyLimit
            self.givesUpAfter = givesUpAfter
            self.waitsForRestart = waitsForRestart
            self.mayUseNetwork = mayUseNetwork
        }

        /// The limit for reading the map, as a multiple of that for a scan: many programs learn
        /// from the map.
        private static let readyForAnswer = 60

        /// The settings for measuring: every scan waits for a restart, but a program that never
        /// answers is given up.
        public static func measuring(
            answerLimit: Duration = .seconds(5), mayUseNetwork: Bool = false
        ) -> Self {
            Self(
                answerLimit: answerLimit, readyLimit: answerLimit * readyForAnswer,
                givesUpAfter: 5, waitsForRestart: true, mayUseNetwork: mayUseNetwork)
        }

        /// The settings for a service, where scans keep coming: none waits for a program that is
        /// down.
        public static func serving(
            answerLimit: Duration = .seconds(5), mayUseNetwork: Bool = false
        ) -> Self {
            Self(
                answerLimit: answerLimit, readyLimit: answerLimit * readyForAnswer,
                givesUpAfter: nil, waitsForRestart: false, mayUseNetwork: mayUseNetwork)
        }
    }

    /// The complete option text.
    public let name: String
    private let command: String
    private let settings: Settings
    private let reports: ProgramReports

    /// - Parameters:
    ///   - option: `exec:` and the command, which runs in `/bin/sh -c`. The result is nil for any
    ///     other option.
    ///   - note: is called with a text for the operator when the program fails.
    ///   - onHealth: is called with the reason when the program stops working, and with nil when it
    ///     works again.
    public init?(
        _ option: String, settings: Settings, note: @escaping @Sendable (String) -> Void,
        onHealth: @escaping @Sendable (String?) -> Void = { _ in }
    ) {
        guard option.hasPrefix(Self.prefix), option.count > Self.prefix.count else { return nil }
        name = option
        command = String(option.dropFirst(Self.prefix.count))
        self.settings = settings
        reports = ProgramReports(name: option, note: note, onHealth: onHealth)
    }

    /// Scans that the program was asked to locate and did not answer.
    public var unansweredScans: Int { reports.unanswered }

    public func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        let makeSession: @Sendable (ProgramReports) -> ProgramSession = { [command, settings] in
            ProgramSession(command: command, map: map, settings: settings, reports: $0)
        }
        return PreparedProgram(
            makeSession, site: site, reports: reports, waitsForRestart: settings.waitsForRestart)
    }
}

/// A program with its radio map, and the site whose floors and rooms it may name.
final class PreparedProgram: PreparedPositioner {
    private let makeSession: @Sendable (ProgramReports) -> ProgramSession
    /// A second process of the same program that answers questions, apart from the device's scans.
    /// It starts with the first question.
    private let questions = Mutex<PreparedProgram?>(nil)
    private let session: Mutex<ProgramSession>
    private let site: SiteIndex
    private let reports: ProgramReports
    private let waitsForRestart: Bool
    /// Whether a thread is about to start the program. Scans do not wait for that.
    private let isStarting = Mutex(false)

    init(
        _ makeSession: @escaping @Sendable (ProgramReports) -> ProgramSession, site: SiteIndex,
        reports: ProgramReports, waitsForRestart: Bool
    ) {
        self.makeSession = makeSession
        session = Mutex(makeSession(reports))
        self.site = site
        self.reports = reports
        self.waitsForRestart = waitsForRestart
        self.session.withLock { _ = $0.start() }
    }

    var ofQuestions: (any PreparedPositioner)? {
        questions.withLock { questions in
            if let questions { return questions }
            let made = PreparedProgram(
                makeSession, site: site, reports: reports.ofQuestions,
                waitsForRestart: waitsForRestart)
            questions = made
            return made
        }
    }

    private func answer(
        _ scan: RadioScan, _ state: PositionerState, _ seed: UInt64
    ) -> PositionerLines.Answer? {
        let fault: @Sendable (Estimate) -> String? = { [site] in Self.fault(of: $0, on: site) }
        if waitsForRestart {
            return session.withLock { session in
                session.start() ? session.answer(scan, state: state, seed: seed, fault: fault) : nil
            }
        }
        while !isStarting.withLock({ $0 }) {
            // Waiting for another scan is short and allowed; waiting for a start is not.
            let outcome = session.withLockIfAvailable { session in
                session.isRunning
                    ? session.answer(scan, state: state, seed: seed, fault: fault) : nil
            }
            guard let outcome else {
                usleep(Self.turnMicroseconds)
                continue
            }
            if outcome == nil { startAside() }
            return outcome
        }
        return nil
    }

    private static let turnMicroseconds: UInt32 = 100

    /// Starts the program on a thread of its own, unless it runs or its pause is not over.
    private func startAside() {
        let isFirst = isStarting.withLock { isStarting in
            defer { isStarting = true }
            return !isStarting
        }
        guard isFirst else { return }
        Thread.detachNewThread { [self] in
            session.withLock { if $0.mayStart { _ = $0.start() } }
            isStarting.withLock { $0 = false }
        }
    }

    func locate(
        _ scan: RadioScan, state: PositionerState, seed: UInt64, scratch: inout PositionerScratch
    ) -> (estimate: Estimate, state: PositionerState) {
        let answer = answer(scan, state, seed)
        guard var answer else {
            reports.missedOne()
            return (.lost, state)
        }
        if let place = answer.estimate.place, place.room == nil,
            let floor = site.floorIndex(place.floor)
        {
            answer.estimate.place?.room = site.room(at: place.point, on: floor)
                .map { site.room($0).id }
        }
        return (answer.estimate, answer.state)
    }

    /// The first floor or room of the estimate that the site doesn't have, as a fault.
    private static func fault(of estimate: Estimate, on site: SiteIndex) -> String? {
        guard let place = estimate.place else { return nil }
        guard site.floorIndex(place.floor) != nil else {
            return "the site has no floor \(place.floor)"
        }
        let rooms = estimate.rooms.map(\.id) + (place.room.map { [$0] } ?? [])
        return rooms.first { site.roomIndex($0) == nil }.map { "the site has no room \($0)" }
    }
}
