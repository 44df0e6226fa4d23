/// The number of each transmitter of a radio map.
struct TransmitterNumbers: Sendable {
    private let numberByTransmitter: [Transmitter: Int32]

    init(_ map: RadioMap) {
        numberByTransmitter = Dictionary(
            uniqueKeysWithValues: map.transmitters.enumerated().map {
                ($0.element, Int32($0.offset))
            })
    }

    /// Nil for one that the map does not know: a stranger's telephone says nothing of the place.
    subscript(transmitter: Transmitter) -> Int32? { numberByTransmitter[transmitter] }

    /// The readings of those that the map knows.
    func number(_ readings: [RadioReading], into numbered: inout [NumberedReading]) {
        numbered.removeAll(keepingCapacity: true)
        for reading in readings {
            guard let number = self[reading.transmitter] else { continue }
            numbered.append(NumberedReading(transmitter: number, rssi: Float(reading.rssi)))
        }
    }
}

extension RadioMap {
    /// Where the readings of each transmitter begin in a list of all of them by transmitter; one
    /// more for the end.
    var readingStartByTransmitter: [Int32] {
        var start = [Int32](repeating: 0, count: transmitters.count + 1)
        for transmitter in readingTransmitter { start[Int(transmitter) + 1] += 1 }
        for index in transmitters.indices { start[index + 1] += start[index] }
        return start
    }
}
