/// Finds the anchors that share a transmitter with a scan. Each transmitter has a bit for each
/// anchor between the first and the last that received it. So some thousand anchors cost only a few
/// dozen words.
struct AnchorTouch: Sendable {
    private static let wordBits = UInt64.bitWidth

    /// The bit words of all transmitters, one transmitter after another.
    private let words: [UInt64]
    private let start: [Int32]
    /// For each transmitter, the position of its first word among the anchors' words.
    private let firstWord: [Int32]
    /// The number of words for all anchors.
    private let count: Int

    /// - Parameter heard: for each transmitter the anchors that received it, ascending.
    init(_ heard: [[Int32]], anchors: Int) {
        let words = heard.map { anchors -> [UInt64] in
            guard let first = anchors.first, let last = anchors.last else { return [] }
            let firstWord = Int(first) / Self.wordBits
            var own = [UInt64](repeating: 0, count: Int(last) / Self.wordBits - firstWord + 1)
            for anchor in anchors {
                own[Int(anchor) / Self.wordBits - firstWord] |= 1 << (UInt64(anchor) % 64)
            }
            return own
        }
        start = starts(of: words)
        self.words = words.flatMap { $0 }
        firstWord = heard.map { ($0.first ?? 0) / Int32(Self.wordBits) }
        count = (anchors + Self.wordBits - 1) / Self.wordBits
    }

    /// Puts the anchors that share a transmitter with the readings into `touched`, ascending.
    ///
    /// - Parameter scratch: reused memory; its content does not matter.
    func find(
        _ readings: [NumberedReading], _ scratch: inout [UInt64], _ touched: inout [Int32]
    ) {
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: repeatElement(0, count: count))
        touched.removeAll(keepingCapacity: true)
        var (first, end) = (count, 0)
        scratch.withUnsafeMutableBufferPointer { scratch in
            for reading in readings {
                let number = Int(reading.transmitter)
                let own = Int(start[number])..<Int(start[number + 1])
                guard !own.isEmpty else { continue }
                let offset = Int(firstWord[number])
                for position in own {
                    scratch[offset + position - own.lowerBound] |= words[position]
                }
                first = min(first, offset)
                end = max(end, offset + own.count)
            }
            guard first < end else { return }
            for word in first..<end {
                var rest = scratch[word]
                while rest != 0 {
                    touched.append(Int32(word * Self.wordBits + rest.trailingZeroBitCount))
                    rest &= rest - 1
                }
            }
        }
    }
}
