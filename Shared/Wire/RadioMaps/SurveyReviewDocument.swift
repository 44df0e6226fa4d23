public import Events
import Geometry
import JSON
public import RadioMapCare

/// Surveys that wait for a decision, with a mark on those that look like a change of the site's
/// radio.
public struct SurveyReviewDocument {
    private let waiting: [(aside: SurveyKeptAside, survey: SurveyRecorded)]
    private let changes: [SurveyedChange]

    public init(
        waiting: [(aside: SurveyKeptAside, survey: SurveyRecorded)], changes: [SurveyedChange]
    ) {
        self.waiting = waiting
        self.changes = changes
    }

    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 128 + waiting.count * 500)
        writer.beginObject()
        writer.array("surveys", waiting) { waiting, writer in
            writer.beginObject()
            waiting.aside.writeMembers(to: &writer)
            waiting.survey.place.writeMembers(to: &writer)
            writer.endObject()
        }
        writer.array("changes", changes) { change, writer in
            writer.beginObject()
            writer.field("floor", change.floor.text)
            writer.field("x", change.point.x, decimals: 3)
            writer.field("y", change.point.y, decimals: 3)
            writer.array("surveys", change.surveys.map(\.description))
            writer.endObject()
        }
        writer.endObject()
        return writer.finish()
    }
}
