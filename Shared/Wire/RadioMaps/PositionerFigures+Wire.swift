import Accuracy
public import Events
import JSON
public import RadioMapCare

/// Metres are written with two decimals, differences with three, shares with four.
extension PositionerComparison {
    /// The figures with what they were made of, as a JSON object.
    public func json(of basis: ComparisonStanding.Basis, madeAt: Timestamp) -> String {
        var writer = JSONWriter(capacity: 4_096)
        writer.beginObject()
        writer.field("madeAt", madeAt)
        writer.field("radioMapVersion", basis.radioMapVersion)
        writer.field("revision", basis.revision)
        writer.field("served", served)
        writer.nullable("promote", promoted)
        writer.name("bySurveys")
        if let bySurveys {
            writer.beginObject()
            writer.field("scans", bySurveys.scans)
            writer.field("places", bySurveys.places)
            writer.field("disturbed", isDisturbed)
            bySurveys.writeLists(to: &writer)
            writer.endObject()
        } else {
            writer.null()
        }
        writer.name("byTaps")
        if let byTaps {
            writer.beginObject()
            writer.field("scans", byTaps.scans)
            writer.field("places", byTaps.places)
            writer.field("authors", tapAuthors)
            byTaps.writeLists(to: &writer)
            writer.endObject()
        } else {
            writer.null()
        }
        writer.endObject()
        return writer.finishText()
    }
}

extension PositionerFigures {
    fileprivate func writeLists(to writer: inout JSONWriter) {
        writer.array("positioners", judged) { judged, writer in judged.write(to: &writer) }
        writer.array("untried", untried) { untried, writer in
            writer.beginObject()
            writer.field("positioner", untried.name)
            writer.field("reason", untried.obstacle.rawValue)
            writer.field("detail", untried.obstacle.detail)
            writer.endObject()
        }
    }
}

extension PositionerFigures.Judged {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("positioner", name)
        writer.field("remembers", remembers)
        writer.field("trials", summary.queries)
        writer.field("lost", summary.lost)
        writer.field("mean", summary.mean, decimals: 2)
        writer.field("median", summary.median, decimals: 2)
        writer.field("p95", summary.p95, decimals: 2)
        writer.field("floorHit", summary.floorHit, decimals: 4)
        writer.field("roomHit", summary.roomHit, decimals: 4)
        writer.field("within68", summary.within68, decimals: 4)
        writer.field("within95", summary.within95, decimals: 4)
        writer.field("located", located, decimals: 4)
        if let difference {
            writer.name("difference")
            writer.beginObject()
            writer.field("mean", difference.mean, decimals: 3)
            writer.field("lower95", difference.lower95, decimals: 3)
            writer.field("upper95", difference.upper95, decimals: 3)
            writer.endObject()
        }
        writer.field("verdict", verdict?.rawValue)
        writer.endObject()
    }
}

extension CandidatePositioner.Obstacle {
    fileprivate var detail: String {
        switch self {
        case .program:
            "It is a program, which only locators run. `whereabouts accuracy` measures it."
        case .document: "It needs a document that fingerprint-builder can't read."
        case .notAllowed: "The operator does not allow it any more."
        case .sentReadings:
            "It needs Bluetooth readings as they were sent, which a radio map does not keep."
        }
    }
}

extension ComparisonStanding.Reason {
    /// A sentence for people: why there are no figures, and what to do.
    fileprivate var detail: String {
        switch self {
        case .nothingBeside:
            "No positioner is beside the served one: select one, and it is compared."
        case .noRadioMap: "The site has no radio map yet: send surveys."
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

/// The answer of `GET /v1/sites/{site}/positioner/comparison`.
public enum ComparisonAnswer {
    /// - Parameter comparison: the kept figures, as a JSON object; nil where there are none.
    public static func json(
        of site: SiteID, _ standing: ComparisonStanding, comparison: String?
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 512 + (comparison?.utf8.count ?? 0))
        writer.beginObject()
        writer.field("site", site)
        writer.field("state", standing.state.rawValue)
        writer.field("reason", standing.reason?.rawValue)
        writer.field("detail", standing.reason?.detail)
        writer.name("comparison")
        if let comparison { writer.raw(json: comparison) } else { writer.null() }
        writer.endObject()
        return writer.finish()
    }
}
