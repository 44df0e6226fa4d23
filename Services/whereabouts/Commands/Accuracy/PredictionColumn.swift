import Datasets
import Events
import Wire

/// A column of the file of predictions, which `accuracy --predictions` writes: a line for each
/// scan and positioner, in the order of the data set.
struct PredictionColumn: Sendable {
    var name: String
    /// For people; `docs/accuracy.md` has the same words.
    var meaning: String
    private var value: @Sendable (AccuracyRun.Prediction) -> String

    private init(
        _ name: String, _ meaning: String,
        _ value: @escaping @Sendable (AccuracyRun.Prediction) -> String
    ) {
        self.name = name
        self.meaning = meaning
        self.value = value
    }

    static let all: [Self] = [
        Self("positioner", "the positioner, as its line of figures names it") {
            $0.position.positioner
        },
        Self("part", "the part of the data set, whose map located the scan") { $0.part },
        Self("scan", "the scan's id") { $0.test.scan.id.description },
        Self("at", "the time of the scan by its own clock, milliseconds since 1970 in UTC") {
            "\($0.test.scan.at.milliseconds)"
        },
        Self("path", "the path of the scan; empty in sets without paths") { $0.test.path ?? "" },
        Self("trueFloor", "the true floor") { $0.test.truth.floor.text },
        Self("trueX", "the true place, in metres of the site's frame") {
            metres($0.test.truth.x)
        },
        Self("trueY", "the same") { metres($0.test.truth.y) },
        Self("state", "located, uncertain or lost; a lost scan has nothing in what follows") {
            $0.position.state.rawValue
        },
        Self("floor", "the estimated floor; outdoors is one") { $0.position.floor?.text ?? "" },
        Self("room", "the estimated room; empty outside of rooms") {
            $0.position.room?.text ?? ""
        },
        Self("x", "the estimated place, in metres of the site's frame") { metres($0.position.x) },
        Self("y", "the same") { metres($0.position.y) },
        Self("radius68", "the radius that holds the true place with 68 %, in the same metres") {
            metres($0.position.radius68)
        },
        Self("radius95", "the same with 95 %") { metres($0.position.radius95) },
        Self("error", "from the true to the estimated place, in metres as the set reports them") {
            metres($0.error)
        },
    ]

    static var header: String { line { $0.name } }

    static func line(of prediction: AccuracyRun.Prediction) -> String {
        line { $0.value(prediction) }
    }

    /// The columns for people, each on a line of its own.
    ///
    /// - Parameter indent: the spaces before each name.
    static func list(indent: Int) -> String {
        let width = (all.map(\.name.count).max() ?? 0) + 2
        return all.map { column in
            let gap = String(repeating: " ", count: width - column.name.count)
            return column.name + gap + column.meaning
        }.joined(separator: "\n" + String(repeating: " ", count: indent))
    }

    private static func line(_ field: (Self) -> String) -> String {
        all.map { quotedIfNeeded(field($0)) }.joined(separator: ",") + "\n"
    }

    /// To the millimetre; empty for nil.
    private static func metres(_ length: Double?) -> String {
        length.map { "\(($0 * 1_000).rounded() / 1_000)" } ?? ""
    }

    private static func quotedIfNeeded(_ field: String) -> String {
        let needsQuotes = field.contains { $0 == "," || $0 == "\"" || $0.isNewline }
        guard needsQuotes else { return field }
        let doubled = field.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"")
        return "\"\(doubled)\""
    }
}
