import Accuracy
import Datasets
import JSON
import Positioning
import Wire

/// The lines that `whereabouts accuracy` prints.
enum AccuracyReport {
    /// The line of one positioner.
    ///
    /// - Parameters:
    ///   - heldOut: the kind of things that the map lacks. Nil for the set's own tests, or scans
    ///     that a derived map lacks.
    ///   - map: the kind of derived map.
    static func line(
        _ dataset: Dataset, _ result: AccuracyRun.Result, heldOut: HeldOut?, map: String?
    ) -> String {
        let summary = result.summary
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("dataset", dataset.name)
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
        write("learnedConstantIntervalScore", summary.learnedConstantIntervalScore, to: &writer)
        writer.field("lost", summary.lost)
        write("located", summary.located, to: &writer)
        write("locatedWrongly", summary.locatedWrongly, to: &writer)
        write("honest", summary.honest, to: &writer)
        write("heldOut", heldOut?.rawValue, to: &writer)
        write("map", map, to: &writer)
        writer.name("parts")
        writer.beginArray()
        for part in dataset.parts { write(part, of: dataset, result, to: &writer) }
        writer.endArray()
        writer.endObject()
        return writer.finishText()
    }

    /// The figures of one part, with the names of what its map lacks.
    private static func write(
        _ part: Dataset.Part, of dataset: Dataset, _ result: AccuracyRun.Result,
        to writer: inout JSONWriter
    ) {
        let judged = zip(result.predictions, result.judged).filter { $0.0.part == part.name }
            .map(\.1)
        let summary = AccuracySummary(
            judged, groundPerReportedMetre: dataset.groundPerReportedMetre)
        writer.beginObject()
        writer.field("name", part.name)
        writer.name("leftOut")
        writer.beginArray()
        for name in part.leftOut { writer.string(name) }
        writer.endArray()
        writer.field("surveys", part.training.count)
        writer.field("queries", summary.queries)
        let figures: [(StaticString, Double?)] = [
            ("mean", summary.mean), ("floorHit", summary.floorHit),
            ("within68", summary.within68), ("within95", summary.within95),
            ("located", summary.located), ("locatedWrongly", summary.locatedWrongly),
            ("honest", summary.honest),
        ]
        for (name, value) in figures { write(name, value, to: &writer) }
        writer.endObject()
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

    /// Writes null for an absent value, so that every line has the same members.
    private static func write(_ name: StaticString, _ value: Double?, to writer: inout JSONWriter) {
        guard let value else {
            writer.name(name)
            writer.null()
            return
        }
        writer.field(name, value, decimals: 4)
    }

    private static func write(_ name: StaticString, _ text: String?, to writer: inout JSONWriter) {
        guard let text else {
            writer.name(name)
            writer.null()
            return
        }
        writer.field(name, text)
    }
}
