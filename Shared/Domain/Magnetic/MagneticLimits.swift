/// The limits for a magnetic route and a walk along it.
enum MagneticLimits {
    public static let points = 2...200
    /// The length of a route in metres. A shorter route has too little field to distinguish its
    /// places. A part of a longer route could not be recorded again on its own ("define short route
    /// segments", CMU 3.3).
    public static let lengthMetres = 5.0...300.0
    /// The upper limit is ten minutes at ten a second.
    public static let samples = 20...6_000
    /// Three steps a second for ten minutes.
    public static let steps = 1_800
    static let leastSamplesPerSecond = 10.0
    /// The longest time between two samples.
    static let longestGapMilliseconds = 1_000
    /// The Earth's field is 22 to 67 microtesla (International Geomagnetic Reference Field), and
    /// steel bends it further both ways. Values beyond these limits come from a magnet, or are in
    /// another unit.
    static let magnitudeMicrotesla = 1.0...500.0
    /// The mean speed over the whole walk in metres a second, from a stroll to a run.
    static let meanSpeed = 0.15...4.0
    /// The range of coordinates in metres.
    public static let coordinate = -1e6...1e6
}
