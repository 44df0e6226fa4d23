import Accuracy
import JSON
public import RadioMapCare

/// Metres are written with two decimals, differences with three, shares with four.
extension PositionersBySurveys {
    /// The figures as a JSON object; nil where there are none.
    public var json: String? {
        figures.map { figures in
            var writer = JSONWriter(capacity: 2_048)
            writer.beginObject()
            writer.field("scans", figures.scans)
            writer.field("places", figures.places)
            writer.field("sessions", figures.sources)
            writer.field("disturbed", isDisturbed)
            figures.writeLists(to: &writer)
            writer.endObject()
            return writer.finishText()
        }
    }
}

extension PositionersByTaps {
    /// The figures as a JSON object.
    public var json: String {
        var writer = JSONWriter(capacity: 2_048)
        writer.beginObject()
        writer.field("scans", figures.scans)
        writer.field("places", figures.places)
        writer.field("authors", authors)
        figures.writeLists(to: &writer)
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
        writer.field("followsChoice", followsChoice)
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
