import Events
import Geometry
import Glibc
import VectorGraphics

/// Draws the scale bar, the north arrow and the credits below the map.
struct MapFurniture {
    static let height = 58.0

    let picture: MapPicture

    func draw(top: Double, in drawing: inout Drawing) {
        drawScale(top: top, in: &drawing)
        drawNorth(top: top, in: &drawing)
        drawAttribution(top: top, in: &drawing)
    }

    /// The credits are beside the map's lower right corner, where people look for them, and left of
    /// the arrow.
    private func drawAttribution(top: Double, in drawing: inout Drawing) {
        guard let attribution = picture.map.attribution else { return }
        let scale = picture.scale
        drawing.text(
            picture.shortened(attribution, to: scale.width * 0.6, size: 12),
            scale.left + scale.width - 60, top + 16, .end, size: 12,
            "fill=\"\(MapPalette.quietLabel)\"")
    }

    /// The length of the scale bar in metres: a round number of at most a fifth of the map's width.
    static func barMetres(pixelsPerMetre: Double, width: Double) -> Double {
        let most = width / 5 / pixelsPerMetre
        let power = pow(10, floor(log10(most)))
        return [5.0, 2, 1].map { $0 * power }.first { $0 <= most } ?? power
    }

    private func drawScale(top: Double, in drawing: inout Drawing) {
        let scale = picture.scale
        let metres = Self.barMetres(pixelsPerMetre: scale.pixelsPerMetre, width: scale.width)
        let half = metres * scale.pixelsPerMetre / 2
        let (left, y) = (scale.left, top + 16)
        drawing.rectangle(left, y, half, 7, "fill=\"#222\" stroke=\"#222\"")
        drawing.rectangle(left + half, y, half, 7, "fill=\"#ffffff\" stroke=\"#222\"")
        for (share, value) in [(0.0, 0.0), (1, metres / 2), (2, metres)] {
            let text = value == value.rounded() ? decimal(value, places: 0) : short(value)
            drawing.text(
                share == 2 ? "\(text) m" : text, left + half * share, y + 22, .middle, size: 12)
        }
    }

    private func drawNorth(top: Double, in drawing: inout Drawing) {
        let scale = picture.scale
        // The bearing is the y axis in degrees clockwise from north, so north is as many degrees
        // anticlockwise from it.
        let turn = -picture.map.frame.bearingDegrees
        let (x, y) = (scale.left + scale.width - 26, top + 30)
        drawing.open("g", "transform=\"translate(\(short(x)) \(short(y))) rotate(\(short(turn)))\"")
        for (side, fill) in [(7.0, "#222222"), (-7.0, "#ffffff")] {
            let half: [(x: Double, y: Double)] = [(0, -18), (side, 12), (0, 7)]
            drawing.points("polygon", half, "fill=\"\(fill)\" stroke=\"#222\"")
        }
        drawing.close("g")
        let angle = turn * .pi / 180
        drawing.text(
            picture.words.north, x + sin(angle) * 27, y - cos(angle) * 27 + 4.5, .middle, size: 13,
            "font-weight=\"700\"")
    }
}

/// The key: it explains the signs that are on the map.
struct MapLegend {
    private static let pitch = 26.0

    private struct Entry {
        var text: String
        var draw: (_ x: Double, _ y: Double, _ drawing: inout Drawing) -> Void
        /// The width in pixels, with the sign.
        var width: Double { 34 + textWidth(text, size: 13) + 26 }
    }

    /// The entries and their distance from the left, row by row.
    private let rows: [[(x: Double, entry: Entry)]]
    private let left: Double

    /// - Parameter signs: the marks of the signs that were drawn.
    init(_ picture: MapPicture, signs: Set<String>) {
        left = picture.scale.left
        var rows: [[(x: Double, entry: Entry)]] = []
        var x = 0.0
        for entry in Self.entries(picture, signs) {
            if rows.isEmpty || x + entry.width > picture.scale.width {
                rows.append([])
                x = 0
            }
            rows[rows.count - 1].append((x, entry))
            x += entry.width
        }
        self.rows = rows
    }

    var height: Double { Double(rows.count) * Self.pitch }

    func draw(top: Double, in drawing: inout Drawing) {
        for (number, row) in rows.enumerated() {
            let y = top + (Double(number) + 0.5) * Self.pitch
            for (x, entry) in row {
                entry.draw(left + x + 11, y, &drawing)
                drawing.text(entry.text, left + x + 30, y + 4.5, size: 13)
            }
        }
    }

    private static func entries(_ picture: MapPicture, _ signs: Set<String>) -> [Entry] {
        let features = picture.map.features
        let words = picture.words
        var entries: [Entry] = []
        func add(_ text: String, _ sign: Pictogram) {
            guard signs.contains(sign.mark) else { return }
            entries.append(Entry(text: text) { sign.draw(x: $0, y: $1, size: 20, in: &$2) })
        }
        func hasArea(_ kind: AreaKind) -> Bool {
            features.contains { feature in
                feature.layer == .area && feature.areaKind == kind
                    && !(picture.hidesSurroundings && feature.isSurrounding)
                    && BoundingBox(feature.points)?.intersects(picture.shown) == true
            }
        }
        add(words.accessibleEntrance, .wheelchair)
        if signs.contains(DoorPainter.entranceMark) {
            entries.append(
                Entry(text: words.entrance) { x, y, drawing in
                    DoorPainter.drawArrow(at: (x, y - 6), out: (0, 1), in: &drawing)
                })
        }
        if signs.contains(DoorPainter.automaticMark) {
            entries.append(
                Entry(text: words.automaticDoor) { x, y, drawing in
                    DoorPainter.drawAutomatic(at: (x, y), along: (1, 0), size: 20, in: &drawing)
                })
        }
        add(words.lift, .lift)
        add(words.platformLift, .platformLift)
        add(words.stairs, .stairs)
        add(words.escalator, .escalator)
        add(words.ramp, .ramp)
        add(words.toilet, .toilet)
        add(words.food, .food)
        add(words.information, .information)
        if hasArea(.closed) {
            entries.append(
                Entry(text: words.closed) { x, y, drawing in
                    for fill in [AreaKind.closed.fill, "url(#closed)"] {
                        drawing.rectangle(
                            x - 10, y - 8, 20, 16, "fill=\"\(fill)\" stroke=\"#8d8a85\"")
                    }
                })
        }
        if picture.page.route.count > 1 {
            entries.append(
                Entry(text: words.route) { x, y, drawing in
                    drawing.line(
                        x - 11, y, x + 11, y,
                        "stroke=\"\(MapPalette.route)\" stroke-width=\"5.5\" "
                            + "stroke-linecap=\"round\"")
                })
        }
        return entries
    }
}
