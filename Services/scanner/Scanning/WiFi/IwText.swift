internal import Events
internal import Wire

/// Reads the text of `iw dev INTERFACE scan`.
///
/// Its authors warn that the text changes between versions. So only five lines are read, each by
/// its first words, and only at a block's own depth. `iw` writes a name's odd bytes as `\x00`, so
/// a name can't begin a line of its own. A last line without its end was cut and is left out.
enum IwText {
    struct Result: Hashable, Sendable {
        var networks: [HeardNetwork] = []
        /// Blocks without a strength in dBm: cut ones, and those of drivers that give a percentage.
        var withoutStrength = 0
    }

    static func read(_ bytes: [UInt8]) -> Result {
        var result = Result()
        var block: Block?
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        lines.removeLast()
        for line in lines {
            if let address = Block.address(line) {
                block?.end(&result)
                block = Block(address)
            } else {
                block?.read(line)
            }
        }
        block?.end(&result)
        return result
    }

    private struct Block {
        private var network: HeardNetwork
        /// The white space before the block's own lines.
        private var indent: ArraySlice<UInt8>?

        init(_ address: HardwareAddress) { network = HeardNetwork(bssid: address) }

        /// The address of a line `BSS 00:62:ec:fd:ec:50(on wlan0)`.
        static func address(_ line: ArraySlice<UInt8>) -> HardwareAddress? {
            guard let rest = line.rest(after: "BSS ") else { return nil }
            return Array(rest.prefix(17)).withUnsafeBufferPointer { HardwareAddress(utf8: $0) }
        }

        mutating func read(_ line: ArraySlice<UInt8>) {
            let space = line.prefix { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
            if indent == nil, !space.isEmpty { indent = space }
            // An element inside an element, such as a list of names, lies deeper.
            guard space.elementsEqual(indent ?? space) else { return }
            let text = line[space.endIndex...]
            if let name = text.rest(after: "SSID: ") {
                // A network may come with its beacon's hidden name besides.
                if network.text == nil { network.name = IwText.unescaped(name) }
            } else if let value = text.rest(after: "freq: ") {
                network.frequency = IwText.number(value)
            } else if let value = text.rest(after: "signal: "), value.contains(" dBm") {
                network.rssi = IwText.number(value)
            } else if let value = text.rest(after: "last seen: "), value.contains(" ms ago") {
                network.ageMilliseconds = IwText.number(value)
            }
        }

        func end(_ result: inout Result) {
            if network.rssi == nil { result.withoutStrength += 1 }
            result.networks.append(network)
        }
    }

    /// The number at the beginning, rounded. Newer versions write `freq: 2432.0`.
    private static func number(_ text: ArraySlice<UInt8>) -> Int? {
        let digits = text.prefix { byte in
            byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard digits.count < 20, let value = Double(String(decoding: digits, as: UTF8.self)),
            abs(value) < 1e9
        else { return nil }
        return Int(value.rounded())
    }

    /// The bytes of a name in which others than printable ASCII are `\x` and two digits.
    static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.first {
            let digits = rest.dropFirst(2).prefix(2)
            if byte == UInt8(ascii: "\\"), rest.dropFirst().first == UInt8(ascii: "x"),
                digits.count == 2, digits.first != UInt8(ascii: "+"),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(4)
            } else {
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        return bytes
    }
}

extension ArraySlice<UInt8> {
    /// The bytes after these; nil where it begins otherwise.
    fileprivate func rest(after beginning: StaticString) -> ArraySlice<UInt8>? {
        let count = beginning.utf8CodeUnitCount
        guard self.count >= count else { return nil }
        for index in 0..<count where self[startIndex + index] != beginning.utf8Start[index] {
            return nil
        }
        return dropFirst(count)
    }

    fileprivate func contains(_ words: StaticString) -> Bool {
        indices.contains { self[$0...].rest(after: words) != nil }
    }
}
