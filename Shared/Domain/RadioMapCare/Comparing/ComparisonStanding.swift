/// Whether the kept comparison of a site's positioners is that of its present selection and radio
/// map.
public struct ComparisonStanding: Hashable, Sendable {
    public enum State: String, Hashable, Sendable, CaseIterable {
        case ready
        /// There are figures, but of an earlier selection or radio map.
        case outdated
        /// There are no figures yet.
        case waiting
    }

    /// Why there are no present figures.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        case nothingBeside = "nothing-beside"
        case noRadioMap = "no-radio-map"
        case failed
        /// The newest radio map has not chosen its positioner yet.
        case newRadioMap = "new-radio-map"
        case inWork = "in-work"
    }

    /// The radio map and the selection of which figures are.
    public struct Basis: Hashable, Sendable {
        public var radioMapVersion: Int
        /// The number of the selection.
        public var revision: Int

        public init(radioMapVersion: Int, revision: Int) {
            self.radioMapVersion = radioMapVersion
            self.revision = revision
        }
    }

    public let state: State
    /// Nil where the state is `ready`.
    public let reason: Reason?

    /// - Parameters:
    ///   - hasBeside: whether the site has a positioner beside the served one.
    ///   - present: the newest radio map and selection; nil where there is no map.
    ///   - choiceVersion: the version of the newest radio map that has chosen its positioner.
    ///   - kept: nil where there are no figures.
    ///   - hasFailed: whether the last attempt failed.
    public init(
        hasBeside: Bool, present: Basis?, choiceVersion: Int?, kept: Basis?, hasFailed: Bool
    ) {
        let isPresent = hasBeside && !hasFailed && present != nil && kept == present
        state = isPresent ? .ready : kept == nil ? .waiting : .outdated
        reason =
            if isPresent {
                nil
            } else if !hasBeside {
                .nothingBeside
            } else if present == nil {
                .noRadioMap
            } else if hasFailed {
                .failed
            } else if choiceVersion != present?.radioMapVersion {
                .newRadioMap
            } else {
                .inWork
            }
    }
}
