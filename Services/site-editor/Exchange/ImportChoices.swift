import Events
import Geometry
import HTTP
import MapFormats
import ServiceHost
import SiteExchange
import Wire

/// The choices for an import, as parameters of its address.
struct ImportChoices: Sendable {
    private static let mostLayerBytes = 4_000
    private static let mostColumnBytes = 400

    /// Whether the import is only described.
    let isPreview: Bool
    /// Whether the file counts where it differs from the draft.
    let prefersFile: Bool
    let roomList: RoomListOptions
    private let drawing: DrawingOptions
    private let middle: GeographicPoint?

    /// - Throws: the first parameter that is malformed, whether or not the file needs it.
    init(_ request: HTTPRequest) throws(Problem) {
        isPreview = try request.flag("preview")
        switch request.firstQuery("prefer") {
        case nil: prefersFile = false
        case "file": prefersFile = true
        default: throw Problem(.importRefused, "Send prefer as file, or leave it out.")
        }
        let floor = try request.floorChoice()
        var list = RoomListOptions(floor: floor)
        for column in RoomList.Column.allCases {
            list.columns[column] = try request.text(
                "\(column.rawValue)Column", most: Self.mostColumnBytes)
        }
        list.removesVanished = try request.flag("removeVanished")
        list.movesRooms = try request.flag("moveRooms")
        roomList = list
        var drawing = DrawingOptions(floor: floor)
        drawing.layers = try request.text("layers", most: Self.mostLayerBytes).map {
            Set($0.split(separator: ",").map(String.init))
        }
        drawing.unit = try request.unitChoice()
        drawing.offset = Point(
            x: try request.number("offsetX", within: 1e9),
            y: try request.number("offsetY", within: 1e9))
        drawing.turnDegrees = try request.number("turnDegrees", within: 360)
        self.drawing = drawing
        middle = try request.middleChoice()
    }

    /// The choices for a drawing on a site with this frame.
    func drawing(in frame: LocalFrame) -> DrawingOptions {
        var options = drawing
        options.middle = middle.map { frame.point($0) }
        return options
    }
}

extension HTTPRequest {
    /// The stated format, or the one that the file's content shows.
    func importedFormat() throws -> MapFormat {
        guard firstQuery("format") == MapFormat.recognised else {
            return try mapFormat(of: MapFormat.all)
        }
        return try MapFormat.recognising(.bytes(body))
    }

    fileprivate func text(_ name: String, most bytes: Int) throws(Problem) -> String? {
        guard let text = firstQuery(name) else { return nil }
        guard text.utf8.count <= bytes else {
            throw Problem(.importRefused, "Send \(name) with at most \(bytes) bytes.")
        }
        return text
    }

    fileprivate func unitChoice() throws(Problem) -> DrawingUnit? {
        guard let word = firstQuery("unit") else { return nil }
        guard let unit = DrawingUnit(rawValue: word) else {
            let known = DrawingUnit.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.importRefused, "Send unit as one of \(known).")
        }
        return unit
    }

    fileprivate func floorChoice() throws(Problem) -> FloorID? {
        guard let text = firstQuery("floor") else { return nil }
        guard let floor = FloorID(validating: text) else {
            throw Problem(.identifierMalformed, "Send floor as the id of a floor.")
        }
        return floor
    }

    fileprivate func middleChoice() throws(Problem) -> GeographicPoint? {
        guard let text = firstQuery("middle") else { return nil }
        let degrees = text.split(separator: ",").map { Double($0) }
        guard degrees.count == 2, let latitude = degrees[0], let longitude = degrees[1],
            abs(latitude) <= 90, abs(longitude) <= 180
        else { throw Problem(.importRefused, "Send middle as degrees: latitude,longitude.") }
        return GeographicPoint(latitude: latitude, longitude: longitude)
    }

    fileprivate func number(_ name: String, within limit: Double) throws(Problem) -> Double {
        guard let text = firstQuery(name) else { return 0 }
        guard let number = Double(text), abs(number) <= limit else {
            throw Problem(.importRefused, "Send \(name) as a number.")
        }
        return number
    }
}
