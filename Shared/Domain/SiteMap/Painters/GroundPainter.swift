import Geometry
import VectorGraphics

/// Draws everything below and around a floor: ground, streets and paths, buildings, and the floor
/// itself.
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

    /// The edges of all ways are drawn first, so that the ways join without lines across.
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

    /// If the width is unknown, a street with a name is drawn wider than a path.
    private func width(of way: MapFeature) -> Double {
        way.widthMetres ?? (way.layer == .path && way.name != nil ? 4 : 2)
    }
}
