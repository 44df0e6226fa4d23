import Geometry
import VectorGraphics

/// Draws rooms and other areas with their walls, and the outlines of zones.
struct AreaPainter {
    let picture: MapPicture

    func draw(in drawing: inout Drawing) {
        let areas = picture.map.features.filter { $0.layer == .area }
        for feature in areas { fill(feature, in: &drawing) }
        let wall = picture.scale.pixels(0.2, in: 1...3.5)
        for feature in areas { drawEdge(feature, wall: wall, in: &drawing) }
        for feature in picture.map.features where feature.layer == .zone {
            guard case .area(let area) = feature.shape else { continue }
            drawing.rings(
                area.rings.map(picture.ring),
                "fill=\"#7a4fa3\" fill-opacity=\"0.06\" stroke=\"#7a4fa3\" stroke-width=\"1.5\" "
                    + "stroke-dasharray=\"7 5\"")
        }
    }

    private func fill(_ feature: MapFeature, in drawing: inout Drawing) {
        guard case .area(let area) = feature.shape else { return }
        let kind = feature.areaKind
        let rings = area.rings.map(picture.ring)
        drawing.rings(rings, "fill=\"\(kind.fill)\"")
        if let pattern = kind.pattern {
            drawing.rings(rings, "fill=\"url(#\(pattern.rawValue))\"")
        }
    }

    private func drawEdge(_ feature: MapFeature, wall: Double, in drawing: inout Drawing) {
        guard case .area(let area) = feature.shape else { return }
        let isOpen = feature.areaKind.isOpen
        let stroke = isOpen ? "#c9c4b8" : MapPalette.wall
        let dashes = isOpen ? " stroke-dasharray=\"4 4\"" : ""
        drawing.rings(
            area.rings.map(picture.ring),
            "fill=\"none\" stroke=\"\(stroke)\" stroke-width=\"\(short(isOpen ? 1 : wall))\" "
                + "stroke-linejoin=\"round\"\(dashes)")
    }
}

extension MapFeature {
    var areaKind: AreaKind { AreaKind(category: category, isRestricted: isRestricted) }
}
