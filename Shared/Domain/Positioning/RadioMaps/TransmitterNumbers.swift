/// The number of each transmitter of a radio map.
struct TransmitterNumbers: Sendable {
    private let numberByTransmitter: [Transmitter: Int32]

    init(_ map: RadioMap) {
        numberByTransmitter = Dictionary(
            uniqueKeysWithValues: map.transmitters.enumerated().map {
                ($0.element, Int32($0.offset))
            })
    }

    /// The transmitter's number; nil if it is not in the map, such as a visitor's telephone.
    subscript(transmitter: Transmitter) -> Int32? { numberByTransmitter[transmitter] }

    /// Converts the readings whose transmitter is in the map.
    func number(_ readings: [RadioReading], into numbered: inout [NumberedReading]) {
        numbered.removeAll(keepingCapacity: true)
        for reading in readings {
            guard let number = self[reading.transmitter] else { continue }
            numbered.append(NumberedReading(transmitter: number, rssi: Float(reading.rssi)))
        }
    }
}

extension RadioMap {
    /// The start of each transmitter's readings in a list of all readings ordered by transmitter.
    /// It has one more element for the end.
    var readingStartByTransmitter: [Int32] {
        var start = [Int32](repeating: 0, count: transmitters.count + 1)
        for transmitter in readingTransmitter { start[Int(transmitter) + 1] += 1 }
        for index in transmitters.indices { start[index + 1] += start[index] }
        return start
    }
}
