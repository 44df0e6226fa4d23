/// When positions are given out smoothed, and the limits of the memory for it.
public struct SmoothingRules: Hashable, Sendable {
    public var smoother: PositionSmoother
    /// By the log's time, a position waits for this long beyond the lag for the one that ends it.
    public var allowanceMicroseconds: Int64
    /// A device is forgotten when nothing was appended of it for this long.
    var rememberedMicroseconds: Int64
    /// The most positions of a device. The oldest are given out first.
    public var positions: Int
    /// The most devices of a partition. The one that is due first is given out and forgotten.
    public var devices: Int

    public init(
        smoother: PositionSmoother = PositionSmoother(), allowanceMicroseconds: Int64 = 5_000_000,
        rememberedMicroseconds: Int64 = 120_000_000, positions: Int = 200, devices: Int = 20_000
    ) {
        precondition(positions > 0 && devices > 0)
        self.smoother = smoother
        self.allowanceMicroseconds = allowanceMicroseconds
        self.rememberedMicroseconds = rememberedMicroseconds
        self.positions = positions
        self.devices = devices
    }

    /// Clocks of brokers differ by less. One that was set back by more had been wrong.
    static let clockStep: Int64 = 120_000_000
}
