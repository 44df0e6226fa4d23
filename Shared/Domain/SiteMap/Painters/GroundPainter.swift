import Geometry
import VectorGraphics

/// What lies under and around a floor: ground, streets and paths, buildings, the floor itself.
struct GroundPainter {
    let picture: MapPicture
    private var scale: MapScale { picture.scale }

    func draw(in drawing: inout Drawing) {
        drawing.open("g", picture.hidesSurroundings ? "opacity=\"0.4\"" : "")
        fill(.ground, MapPalette.campus, edge: "none", in: &drawing)
        drawWays(.path, edge: MapPalette.streetEdge, MapPalette.street, in: &drawing)
        fill(.building, MapPalette.building, edge: MapPalette.buildingEdge, in: &drawing)
        drawing.close("g")
        fill(.floor, MapPalette.floor, edge: MapPalette.wall, in: &drawing)
        drawWays(.corridor, edge: MapPalette.corridorEdge, MapPalette.corridor, in: &drawing)
    }

    private func fill(
        _ layer: MapFeature.Layer, _ fill: String, edge: String, in drawing: inout Drawing
    ) {
        let width = scale.pixels(0.45, in: 1.5...6)
        for feature in picture.map.features where feature.layer == layer {
            guard case .area(let area) = feature.shape else { continue }
            drawing.rings(
                area.rings.map(picture.ring),
                "fill=\"\(fill)\" stroke=\"\(edge)\" stroke-width=\"\(short(width))\" "
                    + "stroke-linejoin=\"round\"")
        }
    }

    /// All edges first, so that ways run into each other.
    private func drawWays(
        _ layer: MapFeature.Layer, edge: String, _ fill: String, in drawing: inout Drawing
    ) {
        let ways = picture.map.features.filter { $0.layer == layer }
        for (colour, more) in [(edge, 2.0), (fill, 0)] {
            for way in ways {
                guard case .line(let points) = way.shape else { continue }
                let width = scale.pixels(width(of: way), in: 2.5...26) + more
                drawing.points(
                    "polyline", points.map(scale.place),
                    "fill=\"none\" stroke=\"\(colour)\" stroke-width=\"\(short(width))\" "
                        + "stroke-linecap=\"round\" stroke-linejoin=\"round\"")
            }
        }
    }

    /// A street with a name is wider than a path, where nobody has measured either.
    private func width(of way: MapFeature) -> Double {
        way.widthMetres ?? (way.layer == .path && way.name != nil ? 4 : 2)
    }
}
