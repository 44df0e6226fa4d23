import Glibc
import VectorGraphics

/// The share of true places within a radius, drawn over the probability that the radius states.
///
/// Positioners state two radii, for 68 and 95 %. Radii at other levels are those of the Weibull
/// distribution of the error through these two. Where the two are in the ratio 1 to 1.62, it is the
/// Rayleigh distribution, that of normal errors in two directions.
struct CalibrationCurves {
    static let levels = [0.05] + (1...18).map { Double($0) / 20 } + [0.92, 0.95, 0.97, 0.99]
    static let said = [0.68, 0.95]

    /// A query's error and its two radii, in metres.
    private struct Promise {
        var error: Double
        var radius68: Double
        var radius95: Double

        func radius(_ level: Double) -> Double {
            if level == 0.68 { return radius68 }
            if level == 0.95 { return radius95 }
            guard radius68 > 0, radius95 > radius68 else { return radius95 }
            let logarithms = (log(1 - 0.68), log(1 - 0.95))
            let inverseShape = log(radius95 / radius68) / log(logarithms.1 / logarithms.0)
            return radius95 * pow(log(1 - level) / logarithms.1, inverseShape)
        }
    }

    private let promises: [[Promise]]
    private let styles: [SeriesStyle]

    init(_ plot: AccuracyPlot, _ styles: [SeriesStyle]) {
        promises = plot.series.map { series in
            series.judged.compactMap { query in
                guard query.estimate != nil, let radius68 = query.radius68,
                    let radius95 = query.radius95
                else { return nil }
                return Promise(error: query.distance, radius68: radius68, radius95: radius95)
            }
        }
        self.styles = styles
    }

    func draw(in frame: Frame, _ drawing: inout Drawing) {
        frame.drawAxes(
            "How often the radii contain the truth", across: .share("stated probability"),
            up: .share("truth within the radius"), in: &drawing)
        let (start, end) = (frame.place(0, 0), frame.place(1, 1))
        drawing.line(
            start.x, start.y, end.x, end.y,
            "stroke=\"#888\" stroke-width=\"1\" stroke-dasharray=\"4 4\"")
        var notes = [
            "dashed: exact; above it, radii are too large", "dots: the 68 and 95 % radii as given",
            "lines: Weibull through both",
        ]
        if promises.allSatisfy(\.isEmpty) { notes = ["no radii were given"] }
        for (promises, style) in zip(promises, styles) where !promises.isEmpty {
            let corners = Self.levels.map { level in
                frame.place(level, share(promises, level))
            }
            drawing.points("polyline", [start] + corners, style.stroke)
            for level in Self.said {
                let at = frame.place(level, share(promises, level))
                drawing.circle(at.x, at.y, radius: 4.5, "fill=\"\(style.colour)\"")
            }
        }
        for (index, note) in notes.enumerated() {
            let line = Double(notes.count - 1 - index) * 15
            drawing.text(
                note, frame.place(1, 0).x, start.y - 8 - line, .end, size: 11, "fill=\"#666\"")
        }
    }

    private func share(_ promises: [Promise], _ level: Double) -> Double {
        let kept = promises.count { $0.error <= $0.radius(level) }
        return Double(kept) / Double(promises.count)
    }
}
