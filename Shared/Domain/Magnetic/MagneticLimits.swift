/// What a magnetic route and a walk along it may be.
enum MagneticLimits {
    public static let points = 2...200
    /// Metres. A shorter route has too little field to tell one place of it from another; of a
    /// longer one a part can't be recorded again by itself ("define short route segments", CMU
    /// 3.3).
    public static let lengthMetres = 5.0...300.0
    /// Ten minutes at ten a second.
    public static let samples = 20...6_000
    /// Three a second for ten minutes.
    public static let steps = 1_800
    static let leastSamplesPerSecond = 10.0
    /// No two samples are further apart.
    static let longestGapMilliseconds = 1_000
    /// The Earth's field is 22 to 67 microtesla (International Geomagnetic Reference Field); steel
    /// bends it to less and more. What is beyond is a magnet, or another unit.
    static let magnitudeMicrotesla = 1.0...500.0
    /// Metres a second over the whole walk: a stroll to a run.
    static let meanSpeed = 0.15...4.0
    /// Coordinates in metres.
    public static let coordinate = -1e6...1e6
}
