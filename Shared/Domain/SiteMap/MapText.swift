import Geometry
import Glibc

/// The approximate width of a text in pixels, for placing it. The widths are those of DejaVu Sans,
/// a wide font.
func textWidth(_ text: String, size: Double) -> Double {
    text.unicodeScalars.reduce(0.0) { $0 + letterWidth($1) } * size
}

/// The width of a letter in multiples of the font size.
private func letterWidth(_ scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "i", "j", "l", "I", "J", "'", ".", ",", ":", ";", "|", "!", " ": 0.32
    case "f", "r", "t", "(", ")", "[", "]", "/", "-": 0.41
    case "m", "w", "M", "W", "@", "%": 0.97
    case "A"..."Z": 0.70
    case "\u{300}"..."\u{36F}": 0
    case "\u{1100}"..."\u{11FF}", "\u{2E80}"..."\u{D7FF}", "\u{F900}"..."\u{FAFF}",
        "\u{FF00}"..."\u{FF60}", "\u{1F300}"..."\u{3FFFF}":
        1
    default: 0.62
    }
}

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
