import Geometry
import VectorGraphics

/// A map of each floor for the best positioner on average, with a line from each true place to its
/// estimate.
struct ErrorMaps {
    /// The most floors that are drawn, those with the most scans.
    static let mostFloors = 24
    private static let columns = 3
    private static let panelHeight = 356.0
    /// The height above the maps, with one line of the legend.
    private static let heading = 62.0

    private let name: String
    private let bands: ErrorBands
    private let panels: [FloorPanel]
    private let legend: ErrorLegend

    init(_ plot: AccuracyPlot) {
        func mean(_ errors: [Double]) -> Double {
            errors.isEmpty ? .infinity : errors.reduce(0, +) / Double(errors.count)
        }
        let best = plot.series.min { mean(plot.errors($0)) < mean(plot.errors($1)) }
        let judged = best?.judged ?? []
        name = best?.name ?? ""
        let bands = ErrorBands(best.map { plot.errors($0) } ?? [])
        self.bands = bands
        let byFloor = Dictionary(grouping: judged) { $0.truth.floor ?? "" }
        let shown = byFloor.keys.sorted { left, right in
            (byFloor[right]!.count, left) < (byFloor[left]!.count, right)
        }.prefix(Self.mostFloors).sorted()
        legend = ErrorLegend(bands, floorsLeftOut: byFloor.count - shown.count)
        panels = shown.map { floor in
            FloorPanel(
                name: floor, judged: byFloor[floor]!, floor: plot.floors[floor] ?? .init(),
                bands: bands, groundPerReportedMetre: plot.groundPerReportedMetre)
        }
    }

    var height: Double {
        let rows = (panels.count + Self.columns - 1) / Self.columns
        return panels.isEmpty ? 0 : top + Double(rows) * Self.panelHeight
    }

    /// The height above the maps.
    private var top: Double { Self.heading + legend.furtherHeight }

    func draw(top: Double, _ drawing: inout Drawing) {
        guard !panels.isEmpty else { return }
        drawing.text(
            "Where the errors are: \(shortened(name, to: Layout.longestName)), from the true place "
                + "(dot) to the estimate",
            Layout.margin, top + 14, size: 15, "font-weight=\"600\"")
        legend.draw(top: top + 34, in: &drawing)
        let pitch = (Layout.width - Layout.margin) / Double(Self.columns)
        for (index, panel) in panels.enumerated() {
            let frame = Frame(
                x: Layout.margin + Double(index % Self.columns) * pitch,
                y: top + self.top + Double(index / Self.columns) * Self.panelHeight,
                width: pitch - Layout.margin, height: Self.panelHeight - 20)
            panel.draw(in: frame, number: index, &drawing)
        }
    }
}

/// Errors in four bands, divided at the median, at three quarters and at 95 %.
struct ErrorBands {
    static let wrongFloor = "#a000a0"
    private static let colours = ["#2166ac", "#56b4e9", "#fdae61", "#d7191c"]
    private static let shares = ["half of all", "the next quarter", "the next fifth", "one in 20"]

    /// The bounds of the bands in metres, as the set reports them.
    private let limits: [Double]

    init(_ errors: [Double]) {
        let sorted = errors.sorted()
        limits = [0.5, 0.75, 0.95].map { level in
            sorted.isEmpty ? 0 : sorted[Int(level * Double(sorted.count - 1))]
        }
    }

    func colour(_ error: Double) -> String {
        Self.colours[limits.firstIndex { error <= $0 } ?? limits.count]
    }

    /// The colour and the words of each band.
    var described: [(colour: String, words: String)] {
        Self.shares.enumerated().map { index, share in
            let limit = decimal(limits[min(index, limits.count - 1)], places: 1)
            return (
                Self.colours[index],
                "\(index < limits.count ? "up to" : "over") \(limit) m (\(share))"
            )
        }
    }
}
