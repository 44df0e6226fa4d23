public import Geometry
import VectorGraphics

/// The results of positioners on a data set as one picture. It shows the distribution of their
/// errors, whether their radii hold as often as stated, and the errors on each floor.
///
/// The picture is for people; the figures are those of `AccuracySummary`.
public struct AccuracyPlot: Sendable {
    /// One positioner's estimates.
    public struct Series: Sendable {
        public var name: String
        public var judged: [JudgedEstimate]

        public init(name: String, judged: [JudgedEstimate]) {
            self.name = name
            self.judged = judged
        }
    }

    /// The rooms and surveyed points of a floor, in metres in the site's frame.
    public struct Floor: Sendable {
        public var rooms: [[Point]]
        /// Where the radio map was surveyed.
        public var surveyed: [Point]

        public init(rooms: [[Point]] = [], surveyed: [Point] = []) {
            self.rooms = rooms
            self.surveyed = surveyed
        }
    }

    public var title: String
    /// The positioners in the order of the command line; all located the same scans.
    public var series: [Series]
    /// The floors by the names that truths and estimates use.
    public var floors: [String: Floor]
    /// Metres on the ground for one metre that the set reports. The frame is in metres on the
    /// ground; errors are shown as reported.
    public var groundPerReportedMetre: Double

    public init(
        title: String, series: [Series], floors: [String: Floor] = [:],
        groundPerReportedMetre: Double = 1
    ) {
        self.title = title
        self.series = series
        self.floors = floors
        self.groundPerReportedMetre = groundPerReportedMetre
    }

    /// The picture as an SVG file.
    public func svg() -> String {
        var drawing = Drawing()
        let width = Layout.width
        let styles = series.indices.map { SeriesStyle($0) }
        let maps = ErrorMaps(self)
        let legendTop = Layout.margin + 40
        let chartTop = legendTop + Double(series.count) * Layout.legendPitch + 16
        let mapTop = chartTop + Layout.chartHeight + 24
        let height = mapTop + maps.height + Layout.margin
        drawing.rectangle(0, 0, width, height, "fill=\"#ffffff\"")
        drawing.text(title, Layout.margin, Layout.margin + 18, size: 20, "font-weight=\"600\"")
        for (index, one) in series.enumerated() {
            let top = legendTop + Double(index) * Layout.legendPitch
            drawLegend(one, styles[index], top: top, in: &drawing)
        }
        let chartWidth = (width - 3 * Layout.margin) / 2
        let left = Frame(
            x: Layout.margin, y: chartTop, width: chartWidth, height: Layout.chartHeight)
        var right = left
        right.x += chartWidth + Layout.margin
        ErrorCurves(self, styles).draw(in: left, &drawing)
        CalibrationCurves(self, styles).draw(in: right, &drawing)
        maps.draw(top: mapTop, &drawing)
        return drawing.finish(width: width, height: height)
    }

    /// The errors in metres as the set reports them.
    func errors(_ series: Series) -> [Double] {
        series.judged.map { $0.distance / groundPerReportedMetre }
    }

    private func drawLegend(
        _ series: Series, _ style: SeriesStyle, top: Double, in drawing: inout Drawing
    ) {
        let summary = AccuracySummary(
            series.judged, groundPerReportedMetre: groundPerReportedMetre)
        drawing.line(Layout.margin, top, Layout.margin + 34, top, style.stroke)
        drawing.text(
            shortened(series.name, to: Layout.longestName), Layout.margin + 44, top + 4, size: 13,
            "font-weight=\"600\"")
        var figures = ["\(summary.queries) scans"]
        func add(_ name: String, _ value: Double?, metres: Bool) {
            guard let value else { return }
            figures.append(
                metres
                    ? "\(name) \(decimal(value, places: 2)) m"
                    : "\(name) \(decimal(value * 100, places: 1)) %")
        }
        add("mean", summary.mean, metres: true)
        add("median", summary.median, metres: true)
        add("95 %", summary.p95, metres: true)
        add("right floor", summary.floorHit, metres: false)
        add("right room", summary.roomHit, metres: false)
        if summary.lost > 0 { figures.append("\(summary.lost) lost") }
        drawing.text(
            figures.joined(separator: " · "), Layout.width - Layout.margin, top + 4, .end,
            size: 11)
    }
}

/// Sizes in pixels that all parts of the picture share.
enum Layout {
    static let width = 1_200.0
    static let margin = 24.0
    static let legendPitch = 22.0
    static let chartHeight = 400.0
    /// Characters of a positioner's name; its figures stand in the same line.
    static let longestName = 40
}

/// The colour and dashes of a positioner's lines, which differ also without colours.
struct SeriesStyle {
    /// The colours of Okabe and Ito 2008, "Color Universal Design", which nearly all eyes can
    /// distinguish.
    private static let colours = [
        "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
    ]
    private static let dashes = ["", "7 4", "2 3", "10 3 2 3"]

    let colour: String
    /// The SVG attributes of a line.
    let stroke: String

    init(_ index: Int) {
        colour = Self.colours[index % Self.colours.count]
        // Every second positioner has dashed lines, so that two can be distinguished without
        // colours.
        let dash = Self.dashes[index % Self.dashes.count]
        let pattern = dash.isEmpty ? "" : " stroke-dasharray=\"\(dash)\""
        stroke = "fill=\"none\" stroke=\"\(colour)\" stroke-width=\"2\"\(pattern)"
    }
}

/// At most `limit` elements in their order, evenly spread, including the first and the last.
func thinned<Element>(_ all: [Element], to limit: Int) -> [Element] {
    guard all.count > limit, limit > 1 else { return all }
    return (0..<limit).map { all[$0 * (all.count - 1) / (limit - 1)] }
}

func shortened(_ text: String, to limit: Int) -> String {
    text.count > limit ? "\(text.prefix(limit - 1))…" : text
}
