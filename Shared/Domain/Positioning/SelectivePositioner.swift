/// A positioner that goes by other transmitters than those of the radio map.
public protocol SelectivePositioner: PreparedPositioner {
    /// Whether what it is told of the transmitter counts.
    func uses(_ transmitter: Transmitter) -> Bool
}
