import Geometry
import VectorGraphics

/// Draws stairs, escalators and ramps along their lines: treads across, and an arrow that points
/// up.
struct WayPainter {
    private static let treadMetres = 0.35
    private static let ordinaryWidthMetres = 1.8

    let picture: MapPicture
    private var scale: MapScale { picture.scale }

    func draw(in drawing: inout Drawing) {
        for feature in picture.map.features
        where !(picture.hidesSurroundings && feature.isSurrounding) {
            guard case .line(let points) = feature.shape else { continue }
            let sign: Pictogram
            switch feature.layer {
            case .stairs:
                drawFlight(feature, points, colour: "#6b5a36", in: &drawing)
                sign = .stairs
            case .escalator:
                drawFlight(feature, points, colour: "#2f2b25", in: &drawing)
                sign = .escalator
            case .ramp:
                drawRamp(feature, points, in: &drawing)
                sign = .ramp
            default: continue
            }
            // The key explains the treads, even where no sign is drawn.
            if points.contains(where: { picture.shown.contains($0) }) { drawing.note(sign.mark) }
        }
    }

    private func drawFlight(
        _ feature: MapFeature, _ points: [Point], colour: String, in drawing: inout Drawing
    ) {
        let width = widthPixels(feature)
        band(points, width: width, fill: "#f4ead6", edge: colour, in: &drawing)
        // Treads closer than this would merge.
        let step = max(Self.treadMetres * scale.pixelsPerMetre, 4)
        var commands = ""
        forEachStep(along: points.map(scale.place), every: step) { place, along in
            let across = (x: -along.y * width / 2, y: along.x * width / 2)
            commands +=
                "M\(short(place.x - across.x)),\(short(place.y - across.y))"
                + "L\(short(place.x + across.x)),\(short(place.y + across.y))"
        }
        drawing.path(commands, "fill=\"none\" stroke=\"\(colour)\" stroke-width=\"1\"")
        drawArrow(feature, points, colour: colour, in: &drawing)
    }

    private func drawRamp(
        _ feature: MapFeature, _ points: [Point], in drawing: inout Drawing
    ) {
        let colour = "#1f5fa8"
        band(points, width: widthPixels(feature), fill: "#e6eef8", edge: colour, in: &drawing)
        drawArrow(feature, points, colour: colour, in: &drawing)
    }

    func widthPixels(_ feature: MapFeature) -> Double {
        scale.pixels(feature.widthMetres ?? Self.ordinaryWidthMetres, in: 6...60)
    }

    private func band(
        _ points: [Point], width: Double, fill: String, edge: String, in drawing: inout Drawing
    ) {
        let places = points.map(scale.place)
        for (colour, more) in [(edge, 2.0), (fill, 0)] {
            drawing.points(
                "polyline", places,
                "fill=\"none\" stroke=\"\(colour)\" stroke-width=\"\(short(width + more))\" "
                    + "stroke-linejoin=\"round\"")
        }
    }

    /// The arrow points from the lower to the upper end. It is left out if the map does not show
    /// which end is higher.
    private func drawArrow(
        _ feature: MapFeature, _ points: [Point], colour: String, in drawing: inout Drawing
    ) {
        guard let rises = feature.rises else { return }
        let upwards = (rises ? points : points.reversed()).map(scale.place)
        guard let end = upwards.last else { return }
        let before = upwards[upwards.count - 2]
        let length = max(distance(before, end), 1e-6)
        let along = (x: (end.x - before.x) / length, y: (end.y - before.y) / length)
        guard length > 6 else { return }
        drawing.points(
            "polyline", upwards, "fill=\"none\" stroke=\"\(colour)\" stroke-width=\"1.6\"")
        let size = min(7, length / 2)
        drawing.points(
            "polygon",
            [
                end,
                (
                    end.x - along.x * size - along.y * size / 2,
                    end.y - along.y * size + along.x * size / 2
                ),
                (
                    end.x - along.x * size + along.y * size / 2,
                    end.y - along.y * size - along.x * size / 2
                ),
            ], "fill=\"\(colour)\"")
    }
}

func distance(_ left: (x: Double, y: Double), _ right: (x: Double, y: Double)) -> Double {
    let (across, down) = (left.x - right.x, left.y - right.y)
    return (across * across + down * down).squareRoot()
}

/// Calls the closure at even distances along a line, with the direction of the line there.
func forEachStep(
    along line: [(x: Double, y: Double)], every step: Double,
    _ body: ((x: Double, y: Double), _ along: (x: Double, y: Double)) -> Void
) {
    var rest = step / 2
    for (start, end) in zip(line, line.dropFirst()) {
        let length = distance(start, end)
        guard length > 0 else { continue }
        let along = (x: (end.x - start.x) / length, y: (end.y - start.y) / length)
        var place = rest
        while place < length {
            body((start.x + along.x * place, start.y + along.y * place), along)
            place += step
        }
        rest = place - length
    }
}
