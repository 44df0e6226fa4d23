import VectorGraphics

/// The rectangle of a part of the picture, with its axes.
struct Frame {
    /// The room for labels beside the axes, in pixels.
    static let left = 56.0
    static let bottom = 46.0
    static let top = 34.0
    static let right = 12.0

    var x: Double
    var y: Double
    var width: Double
    var height: Double

    /// An axis from 0 to its end.
    struct Axis {
        var title: String
        var end: Double
        var ticks: [Double]
        /// The label of a tick at a value.
        var label: (Double) -> String
    }

    /// The pixel at these shares of the two axes.
    func place(_ across: Double, _ up: Double) -> (x: Double, y: Double) {
        (
            x + Self.left + across * (width - Self.left - Self.right),
            y + height - Self.bottom - up * (height - Self.bottom - Self.top)
        )
    }

    func drawAxes(_ title: String, across: Axis, up: Axis, in drawing: inout Drawing) {
        drawing.text(title, x, y + 14, size: 15, "font-weight=\"600\"")
        let (corner, end) = (place(0, 0), place(1, 1))
        let grid = "stroke=\"#e2e2e2\" stroke-width=\"1\""
        for tick in across.ticks {
            let at = place(tick / across.end, 0).x
            drawing.line(at, corner.y, at, end.y, grid)
            drawing.text(across.label(tick), at, corner.y + 17, .middle)
        }
        for tick in up.ticks {
            let at = place(0, tick / up.end).y
            drawing.line(corner.x, at, end.x, at, grid)
            drawing.text(up.label(tick), corner.x - 7, at + 4, .end)
        }
        let axis = "stroke=\"#555\" stroke-width=\"1\""
        drawing.line(corner.x, corner.y, end.x, corner.y, axis)
        drawing.line(corner.x, corner.y, corner.x, end.y, axis)
        drawing.text(across.title, (corner.x + end.x) / 2, corner.y + 37, .middle, size: 13)
        let middle = (corner.y + end.y) / 2
        drawing.text(
            up.title, x + 12, middle, .middle, size: 13,
            "transform=\"rotate(-90 \(short(x + 12)) \(short(middle)))\"")
    }
}

extension Frame.Axis {
    /// An axis for shares from 0 to 100 %.
    static func share(_ title: String) -> Frame.Axis {
        Frame.Axis(
            title: title, end: 1, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1],
            label: { "\(decimal($0 * 100, places: 0)) %" })
    }

    /// An axis in metres, from 0 to the first tick at or beyond a length.
    static func metres(_ title: String, over length: Double) -> Frame.Axis {
        let step = niceStep(length / 8)
        let count = max(1, Int((length / step).rounded(.up)))
        return Frame.Axis(
            title: title, end: Double(count) * step, ticks: (0...count).map { Double($0) * step },
            label: { decimal($0, places: step < 1 ? 1 : 0) })
    }
}

/// The smallest of 1, 2, 5, 10, 20 ... that is at least this value; never below 0.1.
func niceStep(_ least: Double) -> Double {
    var unit = 0.1
    while unit < 1e9 {
        for factor in [1.0, 2, 5] where unit * factor >= least { return unit * factor }
        unit *= 10
    }
    return unit
}
