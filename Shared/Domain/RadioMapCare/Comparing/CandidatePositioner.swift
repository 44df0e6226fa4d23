public import Events
public import Positioning

/// A positioner that a site may select, as far as this process can try it.
public struct CandidatePositioner: Sendable {
    /// Why a positioner can't be tried.
    public enum Obstacle: String, Hashable, Sendable, CaseIterable {
        /// Only locators run programs.
        case program
        /// It needs a document that this process can't read.
        case document
        /// The operator does not allow it any more.
        case notAllowed = "not-allowed"
        /// It needs Bluetooth readings as they were sent, which radio maps do not keep.
        case sentReadings = "sent-readings"
    }

    public let name: String
    /// Changes with the setting that makes the positioner.
    public let basis: String
    /// Nil where it can't be tried at all.
    private(set) var positioner: (any Positioner)?
    /// Whether the choice of the radio map, which was made with all of its surveys, leads it.
    let followsChoice: Bool
    private let lack: Obstacle?
    private let needsSentReadings: Bool

    /// - Parameters:
    ///   - basis: changes with the setting that makes the positioner.
    ///   - needsSentReadings: whether it can't locate a scan made of a radio map.
    public init(
        _ positioner: any Positioner, name: String, basis: String, needsSentReadings: Bool = false
    ) {
        self.name = name
        self.basis = basis
        self.positioner = positioner
        self.needsSentReadings = needsSentReadings
        followsChoice = positioner.followsChoice
        lack = nil
    }

    /// One that can't be tried.
    public init(_ name: String, obstacle: Obstacle) {
        self.name = name
        lack = obstacle
        basis = "\(name) \(obstacle.rawValue)"
        needsSentReadings = false
        followsChoice = false
    }

    /// Why it can't be tried; nil where it can.
    ///
    /// - Parameter areSent: whether the scans are as devices sent them, and not made of a map.
    func obstacle(areSent: Bool) -> Obstacle? {
        lack ?? (needsSentReadings && !areSent ? .sentReadings : nil)
    }

    /// The same with the choice of the radio map.
    func following(_ choice: String?) -> CandidatePositioner {
        var candidate = self
        candidate.positioner = positioner?.following(choice)
        return candidate
    }
}

/// The positioners that the operator allows, as far as this process can try them.
public struct CandidateStock: Sendable {
    private let names: AllowedPositioners
    private let byName: [String: CandidatePositioner]

    /// - Parameter all: not empty; the default comes first.
    public init(_ all: [CandidatePositioner]) {
        names = AllowedPositioners(
            standard: all[0].name, others: all.dropFirst().map(\.name))
        byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The positioners of a site, the served one first. Those that it selected and that are not
    /// allowed any more come last.
    public func candidates(for selection: PositionerSelection) -> [CandidatePositioner] {
        let allowed = names.allowed(selection)
        let working = ([names.served(by: allowed)] + allowed.beside).compactMap { byName[$0] }
        let missing = ([selection.served].compactMap(\.self) + selection.beside)
            .filter { !names.contains($0) }
        return working + missing.map { CandidatePositioner($0, obstacle: .notAllowed) }
    }
}
