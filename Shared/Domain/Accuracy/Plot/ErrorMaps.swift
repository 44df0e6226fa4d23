import Geometry
import VectorGraphics

/// A map of each floor for the best positioner on average, with a line from each true place to its
/// estimate.
struct ErrorMaps {
    /// The most floors that are drawn, those with the most scans.
    static let mostFloors = 24
    private static let columns = 3
    private static let panelHeight = 330.0
    private static let heading = 62.0

    private let name: String
    private let bands: ErrorBands
    private let panels: [FloorPanel]
    private let leftOut: Int

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
        leftOut = byFloor.count - shown.count
        panels = shown.map { floor in
            FloorPanel(
                name: floor, judged: byFloor[floor]!, floor: plot.floors[floor] ?? .init(),
                bands: bands, groundPerReportedMetre: plot.groundPerReportedMetre)
        }
    }

    var height: Double {
        let rows = (panels.count + Self.columns - 1) / Self.columns
        return panels.isEmpty ? 0 : Self.heading + Double(rows) * Self.panelHeight
    }

    func draw(top: Double, _ drawing: inout Drawing) {
        guard !panels.isEmpty else { return }
        let more = leftOut > 0 ? "; \(leftOut) floors with fewer scans are left out" : ""
        drawing.text(
            "Where the errors are: \(shortened(name, to: 60)), from the true place (dot) to the "
                + "estimate\(more)",
            Layout.margin, top + 14, size: 15, "font-weight=\"600\"")
        bands.drawLegend(top: top + 34, in: &drawing)
        let pitch = (Layout.width - Layout.margin) / Double(Self.columns)
        for (index, panel) in panels.enumerated() {
            let frame = Frame(
                x: Layout.margin + Double(index % Self.columns) * pitch,
                y: top + Self.heading + Double(index / Self.columns) * Self.panelHeight,
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

    func drawLegend(top: Double, in drawing: inout Drawing) {
        var x = Layout.margin
        for (index, share) in Self.shares.enumerated() {
            let limit = decimal(limits[min(index, limits.count - 1)], places: 1)
            let text = "\(index < limits.count ? "up to" : "over") \(limit) m (\(share))"
            drawing.line(
                x, top, x + 22, top, "stroke=\"\(Self.colours[index])\" stroke-width=\"3\"")
            drawing.text(text, x + 28, top + 4)
            x += 225
        }
        drawing.circle(
            x + 8, top, radius: 4,
            "fill=\"none\" stroke=\"\(Self.wrongFloor)\" stroke-width=\"1.5\"")
        drawing.text("wrong floor, or lost", x + 20, top + 4)
        drawing.circle(x + 158, top, radius: 2, "fill=\"#bbb\"")
        drawing.text("surveyed", x + 166, top + 4)
    }
}
