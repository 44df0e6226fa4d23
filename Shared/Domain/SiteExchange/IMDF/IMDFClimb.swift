import Events
import Site

/// The kinds of connection between levels in IMDF.
enum IMDFClimb: Hashable, CaseIterable {
    case lift, stairs, escalator, ramp

    /// From a relationship's category; nil for one that stays on its level.
    init?(relationship category: String) {
        switch category {
        case "elevator": self = .lift
        case "stairs": self = .stairs
        case "escalator": self = .escalator
        case "ramp": self = .ramp
        default: return nil
        }
    }

    var kind: ConnectionRecord.Kind {
        switch self {
        case .lift: .lift
        case .stairs: .stairs
        case .escalator: .escalator
        case .ramp: .ramp
        }
    }
}
