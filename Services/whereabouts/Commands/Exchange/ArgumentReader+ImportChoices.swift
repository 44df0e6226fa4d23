import Events
import Geometry
import SiteExchange

extension ArgumentReader {
    /// The choices for a drawing.
    func drawingOptions() throws(UsageFault) -> DrawingOptions {
        var options = DrawingOptions()
        options.floor = try floorChoice()
        options.layers = last("--layers").map { Set($0.split(separator: ",").map(String.init)) }
        if let word = last("--unit") {
            guard let unit = DrawingUnit(rawValue: word) else {
                let known = DrawingUnit.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageFault("--unit must be one of \(known)")
            }
            options.unit = unit
        }
        if let text = last("--offset") {
            let numbers = text.split(separator: ",").map { Double($0) }
            guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else {
                throw UsageFault("--offset needs two numbers, such as 12.5,-3")
            }
            options.offset = Point(x: x, y: y)
        }
        if let text = last("--turn") {
            guard let degrees = Double(text), abs(degrees) <= 360 else {
                throw UsageFault("--turn needs degrees, such as 90")
            }
            options.turnDegrees = degrees
        }
        return options
    }

    /// The choices for a list of rooms.
    func roomListOptions() throws(UsageFault) -> RoomListOptions {
        var options = RoomListOptions()
        options.floor = try floorChoice()
        options.removesVanished = has("--remove-vanished")
        options.movesRooms = has("--move-rooms")
        for text in all("--column") {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let column = RoomList.Column(rawValue: parts[0]) else {
                let known = RoomList.Column.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageFault("--column needs WHAT=HEADER; WHAT is one of \(known)")
            }
            options.columns[column] = parts[1]
        }
        return options
    }

    private func floorChoice() throws(UsageFault) -> FloorID? {
        guard let text = last("--floor") else { return nil }
        guard let floor = FloorID(validating: text) else {
            throw UsageFault("\(text) is no floor's id: [A-Za-z0-9._-], 1 to 64 characters")
        }
        return floor
    }
}
