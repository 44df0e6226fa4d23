import Foundation
import Geometry
import Site

/// The slow twin of `HeightGrid` and `SlopeImport`: the file as lines of text, and every rule as it
/// is stated in words.
struct PlainHeights {
    private var header: [String: Double] = [:]
    private var rows: [[Double?]] = []

    init(_ text: String) {
        var numbers: [Double] = []
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(separator: " ").map(String.init)
            if let first = words.first, first.first?.isLetter == true {
                header[first.lowercased()] = Double(words[1])
            } else {
                numbers += words.compactMap(Double.init)
            }
        }
        let columns = Int(header["ncols"] ?? 1)
        while !numbers.isEmpty {
            rows.append(
                numbers.prefix(columns).map { $0 == header["nodata_value"] ? nil : $0 })
            numbers.removeFirst(min(columns, numbers.count))
        }
    }

    private func centre(_ axis: String, _ number: Int) -> Double {
        let size = header["cellsize"] ?? 1
        let first = header["\(axis)llcenter"] ?? (header["\(axis)llcorner"] ?? 0) + size / 2
        return first + Double(number) * size
    }

    /// The height between the four centres around a place.
    func height(latitude: Double, longitude: Double) -> Double? {
        let size = header["cellsize"] ?? 1
        for row in rows.indices.dropLast() {
            let (north, south) = (
                centre("y", rows.count - 1 - row), centre("y", rows.count - 2 - row)
            )
            guard latitude <= north, latitude >= south else { continue }
            for column in rows[row].indices.dropLast() {
                let (west, east) = (centre("x", column), centre("x", column + 1))
                guard longitude >= west, longitude <= east else { continue }
                guard let a = rows[row][column], let b = rows[row][column + 1],
                    let c = rows[row + 1][column], let d = rows[row + 1][column + 1]
                else { return nil }
                let (right, up) = ((longitude - west) / size, (latitude - south) / size)
                return (a * (1 - right) + b * right) * up + (c * (1 - right) + d * right) * (1 - up)
            }
        }
        return nil
    }

    private func smoothed(_ point: Point, _ frame: LocalFrame, _ radius: Double) -> Double? {
        var heights: [Double?] = []
        for (count, share) in [(1, 0.0), (6, 0.5), (12, 1)] {
            for number in 0..<count {
                let angle = 2 * Double.pi * Double(number) / Double(count)
                let place = frame.geographic(
                    Point(
                        x: point.x + share * radius * Foundation.cos(angle),
                        y: point.y + share * radius * Foundation.sin(angle)))
                heights.append(height(latitude: place.latitude, longitude: place.longitude))
            }
        }
        let known = heights.compactMap { $0 }
        return known.count == heights.count ? known.reduce(0, +) / Double(known.count) : nil
    }

    /// The slope of the steepest piece of a straight way, and the rise of its end.
    func slope(
        from start: Point, to end: Point, _ frame: LocalFrame, radius: Double
    ) -> (slope: Double, rise: Double)? {
        let metres = start.distance(to: end)
        func at(_ along: Double) -> Point {
            Point(
                x: start.x + (end.x - start.x) * along / metres,
                y: start.y + (end.y - start.y) * along / metres)
        }
        guard let first = smoothed(start, frame, radius), let last = smoothed(end, frame, radius)
        else { return nil }
        let whole = max(metres, 2 * radius)
        let count = Int((whole / 2).rounded(.up))
        let step = whole / Double(count)
        let begin = (metres - whole) / 2
        let heights = (0...count).map { smoothed(at(begin + Double($0) * step), frame, radius) }
        let steps = min(count, Int((2 * radius / step).rounded()))
        var best = 0.0
        for place in 0...(count - steps) {
            guard let low = heights[place], let high = heights[place + steps] else { return nil }
            let here = (high - low) / (Double(steps) * step)
            if abs(here) > abs(best) { best = here }
        }
        return heights.contains { $0 == nil } ? nil : (best, last - first)
    }
}
