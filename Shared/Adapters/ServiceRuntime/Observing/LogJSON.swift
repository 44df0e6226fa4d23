/// A minimal JSON writer for log lines and health answers, because this module uses no other.
enum LogJSON {
    private static let hexadecimal = Array("0123456789abcdef".unicodeScalars)

    /// Appends the text as a JSON string. It escapes everything that could end the line or control
    /// a terminal. So a text from outside can't forge a second line.
    static func append(_ text: String, to output: inout String) {
        output.unicodeScalars.append("\"")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            default:
                if isUnsafeOnATerminal(scalar) {
                    output += "\\u"
                    for shift in [12, 8, 4, 0] {
                        let digit = Int(scalar.value >> UInt32(shift)) & 15
                        output.unicodeScalars.append(hexadecimal[digit])
                    }
                } else {
                    output.unicodeScalars.append(scalar)
                }
            }
        }
        output.unicodeScalars.append("\"")
    }

    /// Whether the character is a control character, a line or paragraph separator, or a mark that
    /// changes the writing direction.
    static func isUnsafeOnATerminal(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F: true
        default: false
        }
    }
}
