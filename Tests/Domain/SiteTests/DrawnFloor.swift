import Events
import Geometry
import Site

/// Rooms drawn as letters, one character for a square metre, the lowest line at y = 0. The bounding
/// rectangle of a letter is a room named after it; dots are outside.
func drawnRooms(_ drawing: String, floor: FloorID) -> [RoomRecord] {
    var extent: [Character: (left: Int, low: Int, right: Int, high: Int)] = [:]
    let lines = drawing.split(separator: "\n", omittingEmptySubsequences: false).reversed()
    for (y, line) in lines.enumerated() {
        for (x, letter) in line.enumerated() where letter.isLetter {
            let known = extent[letter] ?? (x, y, x, y)
            extent[letter] = (
                min(known.left, x), min(known.low, y), max(known.right, x), max(known.high, y)
            )
        }
    }
    return extent.sorted { $0.key < $1.key }.map { letter, box in
        let (left, low) = (Double(box.left), Double(box.low))
        let (right, high) = (Double(box.right + 1), Double(box.high + 1))
        return RoomRecord(
            id: RoomID("\(floor.text)-\(letter)"), floor: floor, name: "Room \(letter)",
            kind: "room", outline: [[left, low], [right, low], [right, high], [left, high]])
    }
}
