internal import Events
internal import JSON

extension TextIdentifier {
    /// An id for a name of another system. A well-formed name stays as it is. Otherwise each run of
    /// other characters becomes a hyphen: `Living room` becomes `Living-room`. Nil where nothing is
    /// left, or more than an id may have.
    init?(foreign name: String) {
        let trimmed = name.trimmingPrefix(while: \.isWhitespace)
        var text = ""
        for character in trimmed.utf8.prefix(512) {
            let scalar = Unicode.Scalar(character)
            let isKept = character < 0x80 && isWellFormedIdentifier(String(scalar))
            if isKept {
                text.unicodeScalars.append(scalar)
            } else if !text.isEmpty, text.last != "-" {
                text.append("-")
            }
        }
        if !isWellFormedIdentifier(String(trimmed)) {
            while text.last == "-" { text.removeLast() }
        }
        guard isWellFormedIdentifier(text) else { return nil }
        self.init(text)
    }
}

extension HardwareAddress {
    /// Reads an address as other systems write it: with `:` or `-`, or twelve digits alone.
    init?(foreign text: String) {
        if let address = HardwareAddress(text) {
            self = address
            return
        }
        guard text.utf8.count == 12,
            text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt64(text, radix: 16)
        else { return nil }
        self.init(value: value)
    }

    /// The address as an id, which may have no colons: `e0-cb-bc-8c-1f-96`.
    var identifier: String { text.replacing(":", with: "-") }
}

extension WireValue {
    /// A strength in dBm, also one with a fraction; nil where it is none, or out of range.
    var lenientSignal: Int? {
        guard let number = lenientNumber else { return nil }
        let rounded = number.rounded()
        guard Double(ScanLimits.rssi.lowerBound)...Double(ScanLimits.rssi.upperBound) ~= rounded
        else { return nil }
        return Int(rounded)
    }

    /// A number, also one that is written as text.
    var lenientNumber: Double? {
        if let number = json.double { return number }
        guard let text = json.text, text.count <= 32, let number = Double(text.string),
            number.isFinite
        else { return nil }
        return number
    }
}
