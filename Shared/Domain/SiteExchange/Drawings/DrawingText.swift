import Events

/// The texts of a drawing, without the codes of their looks.
struct DrawingText {
    /// Whether the file's texts are in Windows' code page of Western Europe, as before 2007.
    var isWestern = false

    /// A text of one line (`TEXT`, `ATTRIB`): `%%d` is a degree sign, `\U+00E9` an é.
    func plain(_ bytes: ArraySlice<UInt8>) -> String {
        let scalars = Array(decoded(bytes).unicodeScalars)
        var text = String.UnicodeScalarView()
        var place = 0
        while place < scalars.count {
            if let (scalar, length) = escaped(scalars, place) {
                text.append(scalar)
                place += length
            } else if place + 2 < scalars.count, scalars[place] == "%", scalars[place + 1] == "%" {
                switch scalars[place + 2] {
                case "d", "D": text.append("°")
                case "c", "C": text.append("⌀")
                case "p", "P": text.append("±")
                case "%": text.append("%")
                default: break
                }
                place += 3
            } else {
                text.append(scalars[place])
                place += 1
            }
        }
        return Self.tidied(String(text))
    }

    /// A text of several lines (`MTEXT`): `\P` is a line break, braces and codes such as `\H2.5;`
    /// say how it looks.
    func formatted(_ bytes: ArraySlice<UInt8>) -> String {
        let scalars = Array(decoded(bytes).unicodeScalars)
        var text = String.UnicodeScalarView()
        var place = 0
        while place < scalars.count {
            let scalar = scalars[place]
            if let (found, length) = escaped(scalars, place) {
                text.append(found)
                place += length
                continue
            }
            place += 1
            if scalar == "{" || scalar == "}" { continue }
            guard scalar == "\\", place < scalars.count else {
                text.append(scalar)
                continue
            }
            let code = scalars[place]
            place += 1
            switch code {
            case "P", "~", "N", "X": text.append(" ")
            case "\\", "{", "}": text.append(code)
            case "L", "l", "O", "o", "K", "k": break
            default:
                while place < scalars.count, scalars[place] != ";" {
                    // A fraction keeps its numbers.
                    if code == "S" {
                        text.append(
                            "^#".unicodeScalars.contains(scalars[place]) ? "/" : scalars[place])
                    }
                    place += 1
                }
                place += 1
            }
        }
        return Self.tidied(String(text))
    }

    /// The character of `\U+XXXX` at this place, and the code's length.
    private func escaped(
        _ scalars: [Unicode.Scalar], _ place: Int
    ) -> (Unicode.Scalar, Int)? {
        guard place + 6 < scalars.count, scalars[place] == "\\", scalars[place + 1] == "U",
            scalars[place + 2] == "+"
        else { return nil }
        let digits = String(String.UnicodeScalarView(scalars[(place + 3)...(place + 6)]))
        return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init).map { ($0, 7) }
    }

    private func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        if !isWestern || bytes.allSatisfy({ $0 < 128 }),
            let text = String(validating: bytes, as: UTF8.self)
        {
            return text
        }
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte)) }
        return String(text)
    }

    /// Without control characters, and with single spaces.
    static func tidied(_ text: String) -> String {
        let clean = text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : $0 }
        return String(String.UnicodeScalarView(clean)).split(separator: " ").joined(separator: " ")
    }
}
