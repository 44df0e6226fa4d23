/// The approximate width of a text in pixels, for placing it. The widths are those of DejaVu Sans,
/// a wide font.
public func textWidth(_ text: String, size: Double) -> Double {
    text.unicodeScalars.reduce(0.0) { $0 + letterWidth($1) } * size
}

/// The width of a letter in multiples of the font size.
private func letterWidth(_ scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "i", "j", "l", "I", "J", "'", ".", ",", ":", ";", "|", "!", " ": 0.32
    case "f", "r", "t", "(", ")", "[", "]", "/", "-": 0.41
    case "m", "w", "M", "W", "@", "%": 0.97
    case "A"..."Z": 0.70
    case "\u{300}"..."\u{36F}", "\u{591}"..."\u{5C7}", "\u{610}"..."\u{61A}",
        "\u{64B}"..."\u{65F}", "\u{200B}"..."\u{200F}", "\u{2066}"..."\u{2069}":
        0
    case "\u{1100}"..."\u{11FF}", "\u{2E80}"..."\u{D7FF}", "\u{F900}"..."\u{FAFF}",
        "\u{FF00}"..."\u{FF60}", "\u{1F300}"..."\u{3FFFF}":
        1
    default: 0.62
    }
}
