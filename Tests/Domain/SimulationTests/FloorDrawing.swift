import Events
import Geometry
import Simulation
import Site

/// One storey of a simulated building as a picture, made from its published document. It has rooms
/// coloured by kind, ids, and access points as dots.
enum FloorDrawing {
    private static let pixelsPerMetre = 12.0
    private static let heightMetres = 55.0
    private static let colours = [
        "room": "#f4f1e8", "corridor": "#ffffff", "stairs": "#dbe7d3", "lift": "#d3dfec",
    ]

    static func svg(of building: SimulatedBuilding, storey: Int) -> String {
        let floor = SimulatedBuilding.floor(storey)
        let (width, height) = (Int(50 * pixelsPerMetre), Int(57 * pixelsPerMetre))
        var text =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" "
            + "font-family=\"sans-serif\" font-size=\"11\" text-anchor=\"middle\">\n"
        for room in building.document.rooms where room.floor == floor {
            let corners = room.outline.corners.map { "\(x($0.x)),\(y($0.y))" }.joined(
                separator: " ")
            let centre = (
                (room.outline.corners[0].x + room.outline.corners[2].x) / 2,
                (room.outline.corners[0].y + room.outline.corners[2].y) / 2
            )
            text +=
                "<polygon points=\"\(corners)\" fill=\"\(colours[room.kind] ?? "red")\" "
                + "stroke=\"#555\"/>\n"
                + "<text x=\"\(x(centre.0))\" y=\"\(y(centre.1))\">\(room.id)</text>\n"
        }
        for point in building.accessPoints where point.storey == storey {
            text += "<circle cx=\"\(x(point.x))\" cy=\"\(y(point.y))\" r=\"4\" fill=\"#c33\"/>\n"
        }
        return text + "</svg>\n"
    }

    private static func x(_ metres: Double) -> Int {
        Int(((metres + 1) * pixelsPerMetre).rounded())
    }
    private static func y(_ metres: Double) -> Int {
        Int(((heightMetres - metres + 1) * pixelsPerMetre).rounded())
    }
}
