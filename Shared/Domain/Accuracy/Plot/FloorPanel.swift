import Geometry
import VectorGraphics

/// A map of the errors on one floor.
struct FloorPanel {
    /// The most scans, and the most surveyed places, that are drawn; more are thinned out evenly.
    static let mostScans = 700
    static let mostSurveyed = 2_500
    static let mostRooms = 3_000
    /// The height of the name and its captions.
    private static let heading = 48.0

    let name: String
    /// The estimates of scans whose true place is on the floor.
    let judged: [JudgedEstimate]
    let floor: AccuracyPlot.Floor
    let bands: ErrorBands
    let groundPerReportedMetre: Double

    /// The part of the site that the panel shows, in metres.
    private struct Extent {
        var least: Point
        var most: Point

        /// Nil when there are no points.
        init?(_ points: some Sequence<Point>) {
            var extent: (least: Point, most: Point)?
            for point in points where point.isFinite {
                let (least, most) = extent ?? (point, point)
                extent = (
                    Point(x: min(least.x, point.x), y: min(least.y, point.y)),
                    Point(x: max(most.x, point.x), y: max(most.y, point.y))
                )
            }
            guard let extent else { return nil }
            (least, most) = extent
        }
    }

    /// - Parameter number: the panel's number in the picture.
    func draw(in frame: Frame, number: Int, _ drawing: inout Drawing) {
        let drawn = thinned(judged, to: Self.mostScans)
        drawing.text(
            "floor \(shortened(name, to: 30))", frame.x, frame.y + 14, size: 13,
            "font-weight=\"600\"")
        for (line, caption) in captions(drawn.count).enumerated() {
            drawing.text(caption, frame.x, frame.y + 28 + Double(line) * 14, size: 11)
        }
        let map = (
            x: frame.x, y: frame.y + Self.heading, width: frame.width,
            height: frame.height - Self.heading
        )
        drawing.rectangle(
            map.x, map.y, map.width, map.height, "fill=\"#fcfcfc\" stroke=\"#ccc\"")
        let known = floor.rooms.joined().map { $0 } + floor.surveyed + judged.map(\.truth.point)
        guard let extent = Extent(known) else { return }
        // A floor with a single place still shows a few metres around it.
        let across = max(extent.most.x - extent.least.x, 4)
        let up = max(extent.most.y - extent.least.y, 4)
        let scale = min((map.width - 24) / across, (map.height - 44) / up)
        let left = map.x + (map.width - scale * across) / 2
        let bottom = map.y + map.height - 30 - (map.height - 44 - scale * up) / 2
        func pixel(_ point: Point) -> (x: Double, y: Double) {
            (
                left + (point.x - extent.least.x) * scale,
                bottom - (point.y - extent.least.y) * scale
            )
        }
        drawing.open("clipPath", "id=\"floor\(number)\"")
        drawing.rectangle(map.x, map.y, map.width, map.height, "")
        drawing.close("clipPath")
        drawing.open("g", "clip-path=\"url(#floor\(number))\"")
        for room in thinned(floor.rooms, to: Self.mostRooms) where room.count > 2 {
            drawing.points(
                "polygon", room.map(pixel),
                "fill=\"#f0f0ec\" stroke=\"#c9c9c2\" stroke-width=\"0.6\"")
        }
        for place in thinned(floor.surveyed, to: Self.mostSurveyed) {
            let at = pixel(place)
            drawing.circle(at.x, at.y, radius: 1.2, "fill=\"#bbb\"")
        }
        // The largest errors are drawn last, so that they are not hidden.
        for query in drawn.sorted(by: { $0.distance < $1.distance }) {
            draw(query, pixel, &drawing)
        }
        drawing.close("g")
        drawScaleBar(map.x + 12, map.y + map.height - 12, scale, &drawing)
    }

    /// One or two lines below the floor's name.
    private func captions(_ drawn: Int) -> [String] {
        let errors = judged.map { $0.distance / groundPerReportedMetre }
        let mean = errors.reduce(0, +) / Double(errors.count)
        let wrong = judged.count { $0.estimate != nil && $0.estimate?.floor != $0.truth.floor }
        let lost = judged.count { $0.estimate == nil }
        var parts = ["\(judged.count) scans"]
        if drawn < judged.count { parts.append("\(drawn) drawn") }
        parts.append("mean \(decimal(mean, places: 1)) m")
        var missed: [String] = []
        if wrong > 0 { missed.append("\(wrong) on a wrong floor") }
        if lost > 0 { missed.append("\(lost) lost") }
        return [parts, missed].filter { !$0.isEmpty }.map { $0.joined(separator: " · ") }
    }

    private func draw(
        _ query: JudgedEstimate, _ pixel: (Point) -> (x: Double, y: Double),
        _ drawing: inout Drawing
    ) {
        let truth = pixel(query.truth.point)
        guard let estimate = query.estimate, estimate.floor == query.truth.floor else {
            drawing.circle(
                truth.x, truth.y, radius: 3.5,
                "fill=\"none\" stroke=\"\(ErrorBands.wrongFloor)\" stroke-width=\"1.4\"")
            return
        }
        let end = pixel(estimate.point)
        let colour = bands.colour(query.distance / groundPerReportedMetre)
        drawing.line(
            truth.x, truth.y, end.x, end.y,
            "stroke=\"\(colour)\" stroke-width=\"1\" stroke-opacity=\"0.7\"")
        drawing.circle(truth.x, truth.y, radius: 1.8, "fill=\"\(colour)\"")
    }

    /// Draws a scale bar about a sixth of the panel long, labelled in metres on the ground.
    private func drawScaleBar(_ x: Double, _ y: Double, _ scale: Double, _ drawing: inout Drawing) {
        let metres = niceStep(50 / scale)
        let bar = "stroke=\"#333\" stroke-width=\"2\""
        drawing.line(x, y, x + metres * scale, y, bar)
        drawing.text(
            "\(decimal(metres, places: metres < 1 ? 1 : 0)) m", x + metres * scale + 6, y + 4,
            size: 11)
    }
}
