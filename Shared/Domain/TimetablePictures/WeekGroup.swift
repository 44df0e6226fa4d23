import Events
import VectorGraphics

/// One box for bookings that have no room for a box each, with one mark for all of them.
struct WeekGroup {
    let picture: WeekPicture
    let bookings: [WeekOfRoom.Booking]
    let left: Double
    let top: Double
    let width: Double
    let height: Double

    /// Draws one of its bookings. The first brings the box and the mark.
    ///
    /// - Parameter place: the part of the box that shows the booking's words to a pointer.
    func draw(
        _ shown: WeekOfRoom.Booking, isFirst: Bool, place: (left: Double, width: Double),
        _ marks: inout WeekMarks, in drawing: inout Drawing
    ) {
        drawing.open("g", "role=\"listitem\"")
        drawing.title(picture.description(of: shown))
        if isFirst {
            drawing.rectangle(
                left, top, width, height,
                WeekBlock.edge(isTentative: bookings.allSatisfy(\.booking.isTentative)))
            drawing.weekMark(
                marks.text(for: bookings), left: left, top: top, width: width, height: height)
        }
        drawing.rectangle(
            place.left, top, max(0.1, place.width), height,
            "fill=\"none\" pointer-events=\"all\"")
        drawing.close("g")
    }
}
