import Geometry
import HTTP
import ServiceHost
import Wire

extension HTTPRequest {
    /// The most points of a way on a map. An address of this length still fits into a request.
    static let mostRoutePoints = 400
    /// The bounds of coordinates in metres, as in a site's document.
    private static let metres = -1e6...1e6

    /// The way to be drawn: `?route=x,y;x,y`, in metres of the site's frame. One point is marked.
    /// - Throws: a `Problem` for other text, or too many points.
    func drawnRoute() throws(Problem) -> [Point] {
        guard let text = firstQuery("route") else { return [] }
        let pairs = text.split(separator: ";", omittingEmptySubsequences: false)
        let points = pairs.prefix(Self.mostRoutePoints + 1).compactMap { pair -> Point? in
            let numbers = Self.numbers(pair)
            return numbers.count == 2 ? Point(x: numbers[0], y: numbers[1]) : nil
        }
        guard points.count == pairs.count, points.count <= Self.mostRoutePoints else {
            throw Problem(
                .coordinatesOutOfRange,
                "Send route as x,y;x,y in metres, with at most \(Self.mostRoutePoints) points.")
        }
        return points
    }

    /// The part of the map to be drawn: `?around=x,y,metres`, the middle and half the width.
    /// - Throws: a `Problem` for other text.
    func drawnPart() throws(Problem) -> BoundingBox? {
        guard let text = firstQuery("around") else { return nil }
        let numbers = Self.numbers(Substring(text))
        guard numbers.count == 3, (1...10_000).contains(numbers[2]) else {
            throw Problem(
                .coordinatesOutOfRange,
                "Send around as x,y,metres: the middle of the drawing, and half its width.")
        }
        let (x, y, half) = (numbers[0], numbers[1], numbers[2])
        return BoundingBox([Point(x: x - half, y: y - half), Point(x: x + half, y: y + half)])
    }

    /// The numbers between commas; empty where one of them is none, or out of bounds.
    private static func numbers(_ text: Substring) -> [Double] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.prefix(4).compactMap { Double($0) }.filter(metres.contains)
        return numbers.count == parts.count ? numbers : []
    }
}
