/// A positioner that uses other transmitters than those of the radio map.
public protocol SelectivePositioner: PreparedPositioner {
    /// Whether readings of this transmitter count.
    func uses(_ transmitter: Transmitter) -> Bool
}
