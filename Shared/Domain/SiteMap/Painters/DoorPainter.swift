import Events
import Geometry
import Site
import VectorGraphics

/// Draws doors as gaps in the walls, entrances with a sign for step-free access, and lifts.
struct DoorPainter {
    let picture: MapPicture
    private var scale: MapScale { picture.scale }

    func draw(in drawing: inout Drawing, _ labels: inout MapLabels) {
        for feature in picture.map.features
        where feature.layer == .door || feature.layer == .entrance {
            drawOpening(feature, in: &drawing)
        }
        let features = picture.map.features.filter { feature in
            !(picture.hidesSurroundings && feature.isSurrounding)
                && picture.shown.contains(feature.middle)
        }
        for feature in features where feature.layer == .entrance {
            drawEntrance(feature, in: &drawing, &labels)
        }
        for feature in features where [.stairs, .escalator, .ramp].contains(feature.layer) {
            guard case .line(let points) = feature.shape else { continue }
            labels.avoid(
                points.map(scale.place), width: WayPainter(picture: picture).widthPixels(feature))
        }
        // Lifts are drawn first, since people who need one look for it. Signs of stairs give way to
        // them.
        let signs: [(MapFeature.Layer, Pictogram)] = [
            (.lift, .lift), (.platformLift, .platformLift), (.escalator, .escalator),
            (.stairs, .stairs), (.ramp, .ramp),
        ]
        for (layer, sign) in signs {
            for feature in features where feature.layer == layer {
                drawSign(sign, feature, in: &drawing, &labels)
            }
        }
    }

    private func drawOpening(_ feature: MapFeature, in drawing: inout Drawing) {
        guard case .line(let ends) = feature.shape, let first = ends.first, let last = ends.last
        else { return }
        let (start, end) = (scale.place(first), scale.place(last))
        let wall = scale.pixels(0.2, in: 1...3.5)
        drawing.line(
            start.x, start.y, end.x, end.y,
            "stroke=\"#ffffff\" stroke-width=\"\(short(wall + 2))\"")
        // The posts on both sides distinguish a gap from a missing wall.
        let length = max(distance(start, end), 1e-6)
        let across = (x: -(end.y - start.y) / length, y: (end.x - start.x) / length)
        let post = wall + 1
        for place in [start, end] {
            drawing.line(
                place.x - across.x * post, place.y - across.y * post, place.x + across.x * post,
                place.y + across.y * post,
                "stroke=\"\(MapPalette.wall)\" stroke-width=\"\(short(max(1, wall * 0.7)))\"")
        }
        if feature.isAutomatic == true {
            let middle = (x: (start.x + end.x) / 2, y: (start.y + end.y) / 2)
            Self.drawAutomatic(
                at: middle, along: (x: across.y, y: -across.x),
                size: min(max(length, 9), 22), in: &drawing)
        }
    }

    /// The mark by which the key finds out that automatic doors are on the map.
    static let automaticMark = "automatic-door"
    static let entranceMark = "entrance"

    /// Draws two leaves that slide apart.
    static func drawAutomatic(
        at middle: (x: Double, y: Double), along: (x: Double, y: Double), size: Double,
        in drawing: inout Drawing
    ) {
        drawing.note(automaticMark)
        let half = size / 2
        for side in [-1.0, 1] {
            let tip = (middle.x + along.x * half * side, middle.y + along.y * half * side)
            let base = (x: middle.x + along.x * side * 1.5, y: middle.y + along.y * side * 1.5)
            drawing.points(
                "polygon",
                [
                    tip, (base.x - along.y * 3.5, base.y + along.x * 3.5),
                    (base.x + along.y * 3.5, base.y - along.x * 3.5),
                ],
                "fill=\"\(MapPalette.automatic)\" stroke=\"#ffffff\" stroke-width=\"0.8\"")
        }
    }

    /// Draws a wheelchair at an entrance without steps, or else an arrow that points in.
    private func drawEntrance(
        _ feature: MapFeature, in drawing: inout Drawing, _ labels: inout MapLabels
    ) {
        let door = scale.place(feature.middle)
        let out = feature.outwards.map { (x: $0.x, y: -$0.y) } ?? (x: 0, y: 0)
        if feature.accessible == .yes {
            let size = 20.0
            let place = (x: door.x + out.x * size * 0.75, y: door.y + out.y * size * 0.75)
            Pictogram.wheelchair.draw(x: place.x, y: place.y, size: size, in: &drawing)
            labels.occupy(place, width: size, height: size)
        } else {
            Self.drawArrow(at: (door.x + out.x * 3, door.y + out.y * 3), out: out, in: &drawing)
            labels.occupy((door.x + out.x * 9, door.y + out.y * 9), width: 14, height: 14)
        }
    }

    static func drawArrow(
        at tip: (x: Double, y: Double), out: (x: Double, y: Double), in drawing: inout Drawing
    ) {
        drawing.note(entranceMark)
        guard out.x != 0 || out.y != 0 else {
            drawing.circle(tip.x, tip.y, radius: 4, "fill=\"\(MapPalette.entrance)\"")
            return
        }
        let size = 12.0
        drawing.points(
            "polygon",
            [
                tip,
                (
                    tip.x + out.x * size - out.y * size * 0.6,
                    tip.y + out.y * size + out.x * size * 0.6
                ),
                (
                    tip.x + out.x * size + out.y * size * 0.6,
                    tip.y + out.y * size - out.x * size * 0.6
                ),
            ], "fill=\"\(MapPalette.entrance)\"")
    }

    /// Draws the sign of a lift at its stop, and that of stairs on their line.
    private func drawSign(
        _ sign: Pictogram, _ feature: MapFeature, in drawing: inout Drawing,
        _ labels: inout MapLabels
    ) {
        let isLift = sign == .lift || sign == .platformLift
        let size = scale.pixels(isLift ? 3.5 : 2.5, in: isLift ? 16...26 : 12...20)
        let place = scale.place(feature.middle)
        // A long line of treads needs no sign.
        if !isLift, case .line(let points) = feature.shape,
            let box = BoundingBox(points),
            max(box.width, box.height) * scale.pixelsPerMetre > 24
        {
            return
        }
        guard labels.drawSign(sign, at: place, size: size, in: &drawing) else { return }
        guard isLift, feature.name != nil || feature.levels.count > 1 else { return }
        labels.addCaption(
            picture.name(of: feature) ?? "", levels: feature.levels, beside: place, size: size)
    }
}

extension MapFeature {
    /// The point halfway along a line, where its sign is drawn.
    var middle: Point {
        switch shape {
        case .point(let point): return point
        case .area(let area): return labelPoint ?? area.outline.centroid
        case .line(let points):
            var rest = points.lengthMetres / 2
            for (start, end) in zip(points, points.dropFirst()) {
                let length = start.distance(to: end)
                if length >= rest, length > 0 {
                    return Point(
                        x: start.x + (end.x - start.x) * rest / length,
                        y: start.y + (end.y - start.y) * rest / length)
                }
                rest -= length
            }
            return points.last ?? Point(x: 0, y: 0)
        }
    }
}
