public import Events
import JSON
public import RadioMapCare

/// The figures of a site's positioners, as they are kept and shown.
public struct KeptComparison: Hashable, Sendable {
    /// The radio map and the selection of which they are.
    public var basis: ComparisonStanding.Basis
    /// The beginning of the attempt that made the newest of the figures.
    public var madeAt: Timestamp
    public var served: String
    public var promoted: String?
    /// JSON objects; nil where there are none.
    public var bySurveys: String?
    public var byTaps: String?

    public init(
        basis: ComparisonStanding.Basis, madeAt: Timestamp, served: String, promoted: String?,
        bySurveys: String?, byTaps: String?
    ) {
        self.basis = basis
        self.madeAt = madeAt
        self.served = served
        self.promoted = promoted
        self.bySurveys = bySurveys
        self.byTaps = byTaps
    }

    /// - Parameter isReady: whether they are of the present map and selection. Others promote
    ///   nothing: what they would promote may be served by now.
    fileprivate func write(to writer: inout JSONWriter, isReady: Bool) {
        writer.beginObject()
        writer.field("madeAt", madeAt)
        writer.field("radioMapVersion", basis.radioMapVersion)
        writer.field("revision", basis.revision)
        writer.field("served", served)
        writer.nullable("promote", isReady ? promoted : nil)
        writer.name("bySurveys")
        if let bySurveys { writer.raw(json: bySurveys) } else { writer.null() }
        writer.name("byTaps")
        if let byTaps { writer.raw(json: byTaps) } else { writer.null() }
        writer.endObject()
    }
}

/// The answer of `GET /v1/sites/{site}/positioner/comparison`.
public enum ComparisonAnswer {
    /// - Parameters:
    ///   - triedAt: the beginning of the last attempt, also of one that failed; nil before the
    ///     first.
    ///   - comparison: the kept figures; nil where there are none.
    public static func json(
        of site: SiteID, _ standing: ComparisonStanding, triedAt: Timestamp?,
        comparison: KeptComparison?
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 4_096)
        writer.beginObject()
        writer.field("site", site)
        writer.field("state", standing.state.rawValue)
        writer.field("reason", standing.reason?.rawValue)
        writer.field("detail", standing.reason?.detail)
        writer.field("triedAt", triedAt)
        writer.name("comparison")
        if let comparison {
            comparison.write(to: &writer, isReady: standing.state == .ready)
        } else {
            writer.null()
        }
        writer.endObject()
        return writer.finish()
    }
}

extension ComparisonStanding.Reason {
    /// A sentence for people: why there are no figures, and what to do.
    fileprivate var detail: String {
        switch self {
        case .nothingBeside:
            "No positioner is beside the served one: select one, and it is compared."
        case .noRadioMap:
            "The site has no radio map, and taps alone compare nothing: send surveys."
        case .failed:
            "They could not be compared, as the log of fingerprint-builder says. It tries again "
                + "ten minutes later."
        case .newRadioMap:
            "The newest radio map has not chosen its positioner yet. That comes within minutes."
        case .inWork:
            "They are compared in the background, ten minutes after the last time at the earliest."
        }
    }
}
