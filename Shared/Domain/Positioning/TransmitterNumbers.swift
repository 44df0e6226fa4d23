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
}
