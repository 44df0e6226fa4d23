import Events
import Geometry
import HTTP
import MapFormats
import ServiceHost
import SiteExchange
import Wire

/// The choices for an import, as parameters of its address.
extension HTTPRequest {
    /// The stated format, or the one that the file's content shows.
    func importedFormat() throws -> MapFormat {
        guard firstQuery("format") == MapFormat.recognised else {
            return try mapFormat(of: MapFormat.all)
        }
        return try MapFormat.recognising(.bytes(body))
    }

    /// - Parameter frame: the site's, for places in degrees.
    func drawingOptions(_ frame: LocalFrame) throws(Problem) -> DrawingOptions {
        var options = DrawingOptions()
        options.floor = try floorChoice()
        options.layers = firstQuery("layers").map { Set($0.split(separator: ",").map(String.init)) }
        if let word = firstQuery("unit") {
            guard let unit = DrawingUnit(rawValue: word) else {
                let known = DrawingUnit.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem(.importRefused, "Send unit as one of \(known).")
            }
            options.unit = unit
        }
        options.offset = Point(
            x: try number("offsetX", within: 1e9), y: try number("offsetY", within: 1e9))
        options.turnDegrees = try number("turnDegrees", within: 360)
        if let text = firstQuery("middle") {
            let degrees = text.split(separator: ",").map { Double($0) }
            guard degrees.count == 2, let latitude = degrees[0], let longitude = degrees[1],
                abs(latitude) <= 90, abs(longitude) <= 180
            else {
                throw Problem(.importRefused, "Send middle as degrees: latitude,longitude.")
            }
            options.middle = frame.point(
                GeographicPoint(latitude: latitude, longitude: longitude))
        }
        return options
    }

    func roomListOptions() throws(Problem) -> RoomListOptions {
        var options = RoomListOptions()
        options.floor = try floorChoice()
        for column in RoomList.Column.allCases {
            options.columns[column] = firstQuery("\(column.rawValue)Column")
        }
        options.removesVanished = try flag("removeVanished")
        options.movesRooms = try flag("moveRooms")
        return options
    }

    private func floorChoice() throws(Problem) -> FloorID? {
        guard let text = firstQuery("floor") else { return nil }
        guard let floor = FloorID(validating: text) else {
            throw Problem(.identifierMalformed, "Send floor as the id of a floor.")
        }
        return floor
    }

    private func number(_ name: String, within limit: Double) throws(Problem) -> Double {
        guard let text = firstQuery(name) else { return 0 }
        guard let number = Double(text), abs(number) <= limit else {
            throw Problem(.importRefused, "Send \(name) as a number.")
        }
        return number
    }
}
