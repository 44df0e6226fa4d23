import VectorGraphics

/// The share of scans up to each error, as a curve for each positioner.
struct ErrorCurves {
    /// The number of corners of a curve; sets with more scans are thinned out evenly.
    static let corners = 400
    /// The axis ends where this share of the worst positioner's scans is shown.
    static let shown = 0.98

    private let sorted: [[Double]]
    private let styles: [SeriesStyle]

    init(_ plot: AccuracyPlot, _ styles: [SeriesStyle]) {
        sorted = plot.series.map { plot.errors($0).sorted() }
        self.styles = styles
    }

    func draw(in frame: Frame, _ drawing: inout Drawing) {
        let largest = sorted.compactMap { errors -> Double? in
            errors.isEmpty ? nil : errors[Int(Double(errors.count - 1) * Self.shown)]
        }.max()
        let across = Frame.Axis.metres("error in metres", over: max(0.5, largest ?? 1))
        frame.drawAxes(
            "How large the errors are", across: across, up: .share("share of scans"),
            in: &drawing)
        for (errors, style) in zip(sorted, styles) where !errors.isEmpty {
            drawing.points("polyline", curve(errors, across.end, frame), style.stroke)
        }
        let beyond = sorted.contains { ($0.last ?? 0) > across.end }
        if beyond {
            drawing.text(
                "the largest errors lie beyond the axis", frame.place(1, 0).x,
                frame.place(0, 0).y - 8, .end, size: 11, "fill=\"#666\"")
        }
    }

    private func curve(_ errors: [Double], _ end: Double, _ frame: Frame)
        -> [(x: Double, y: Double)]
    {
        let steps = errors.enumerated().map { index, error in
            (error: error, share: Double(index + 1) / Double(errors.count))
        }
        var corners = [frame.place(0, 0)]
        for step in thinned(steps, to: Self.corners) {
            if step.error > end { break }
            corners.append(frame.place(step.error / end, step.share))
        }
        return corners
    }
}
