import Accuracy
import Datasets
import Events
import JSON
import Positioning
import Wire

/// The lines that `whereabouts accuracy` prints and the file of predictions.
enum AccuracyReport {
    /// The line of one positioner.
    static func line(dataset: String, _ result: AccuracyRun.Result) -> String {
        let summary = result.summary
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("dataset", dataset)
        writer.field("positioner", result.positioner)
        writer.field("queries", summary.queries)
        let figures: [(StaticString, Double?)] = [
            ("mean", summary.mean), ("median", summary.median), ("p75", summary.p75),
            ("p95", summary.p95), ("meanGround", summary.meanGround),
            ("floorHit", summary.floorHit), ("buildingHit", summary.buildingHit),
            ("roomHit", summary.roomHit), ("within68", summary.within68),
            ("within95", summary.within95), ("intervalScore", summary.intervalScore),
            ("medianOfPaths", summary.medianOfPaths),
            ("microsecondsPerQuery", summary.microsecondsPerQuery),
        ]
        for (name, value) in figures { write(name, value, to: &writer) }
        write("constantIntervalScore", summary.constantIntervalScore, to: &writer)
        writer.field("lost", summary.lost)
        writer.endObject()
        return writer.finishText()
    }

    /// The last line for several positioners: the one with the smallest mean error, and the
    /// difference between each later one and the first.
    ///
    /// - Parameter results: at least two, all over the same queries.
    static func comparison(_ dataset: Dataset, _ results: [AccuracyRun.Result], seed: UInt64)
        -> String
    {
        let best = results.min {
            ($0.summary.mean ?? .infinity) < ($1.summary.mean ?? .infinity)
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("dataset", dataset.name)
        writer.field("baseline", results[0].positioner)
        writer.field("best", best?.positioner)
        writer.name("compared")
        writer.beginArray()
        for result in results.dropFirst() {
            let difference = PairedDifference(
                from: results[0].judged, to: result.judged,
                groundPerReportedMetre: dataset.groundPerReportedMetre, seed: seed)
            writer.beginObject()
            writer.field("positioner", result.positioner)
            writer.field("queries", result.judged.count)
            write("paths", difference?.paths.map(Double.init), to: &writer)
            write("meanDifference", difference?.mean, to: &writer)
            write("lower95", difference?.lower95, to: &writer)
            write("upper95", difference?.upper95, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.finishText()
    }

    static let predictionHeader =
        "positioner,part,scan,at,path,trueFloor,trueX,trueY,state,floor,room,x,y,radius68,"
        + "radius95,error\n"

    /// One line of the file of predictions. Coordinates are metres in the site's frame; the error
    /// is in metres as the data set reports them.
    static func prediction(_ prediction: AccuracyRun.Prediction) -> String {
        let (test, position) = (prediction.test, prediction.position)
        let fields: [String] = [
            position.positioner, prediction.part, test.scan.id.description,
            "\(test.scan.at.milliseconds)", test.path ?? "", test.truth.floor.text,
            shown(test.truth.x), shown(test.truth.y), position.state.rawValue,
            position.floor?.text ?? "", position.room?.text ?? "", shown(position.x),
            shown(position.y), shown(position.radius68), shown(position.radius95),
            shown(prediction.error),
        ]
        return fields.map(quotedIfNeeded).joined(separator: ",") + "\n"
    }

    /// Writes null for an absent value, so that every line has the same members.
    private static func write(_ name: StaticString, _ value: Double?, to writer: inout JSONWriter) {
        guard let value else {
            writer.name(name)
            writer.null()
            return
        }
        writer.field(name, value, decimals: 4)
    }

    private static func shown(_ metres: Double?) -> String {
        metres.map { "\(($0 * 1_000).rounded() / 1_000)" } ?? ""
    }

    private static func quotedIfNeeded(_ field: String) -> String {
        let needsQuotes = field.contains { $0 == "," || $0 == "\"" || $0.isNewline }
        guard needsQuotes else { return field }
        let doubled = field.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"")
        return "\"\(doubled)\""
    }
}
