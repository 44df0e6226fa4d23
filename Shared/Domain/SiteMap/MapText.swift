import Geometry
import Glibc
import VectorGraphics

/// The text split into `count` lines of similar length; nil if it has too few words.
func brokenIntoLines(_ text: String, count: Int) -> [String]? {
    let words = text.split(separator: " ").map(String.init)
    guard words.count >= count, count > 0 else { return nil }
    guard count > 1 else { return [words.joined(separator: " ")] }
    var best: (width: Double, lines: [String])?
    for first in 1...(words.count - count + 1) {
        let head = words[..<first].joined(separator: " ")
        let rest = words[first...].joined(separator: " ")
        guard let lines = brokenIntoLines(rest, count: count - 1) else { continue }
        let all = [head] + lines
        let width = all.map { textWidth($0, size: 1) }.max() ?? 0
        if width < best?.width ?? .infinity { best = (width, all) }
    }
    return best?.lines
}

/// The angle in degrees, clockwise on a page where y points down.
func atan2Degrees(_ down: Double, _ right: Double) -> Double { atan2(down, right) * 180 / .pi }

/// The same slope within -90 ..< 90 degrees or 90, so that no text is upside down.
func upright(_ degrees: Double) -> Double {
    var degrees = degrees
    while degrees > 90 { degrees -= 180 }
    while degrees <= -90 { degrees += 180 }
    return degrees
}
