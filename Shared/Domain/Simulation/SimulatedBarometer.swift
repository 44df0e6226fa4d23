public import Events
import Glibc
import Numbers

/// The barometer of one device, with weather, noise and gusts. It draws from a generator of its
/// own, so a walk is the same with and without it.
public struct SimulatedBarometer: Sendable {
    /// The air pressure at the lowest floor when the simulation begins, in hPa.
    static let hectopascals = (980.0, 1_040.0)
    /// The most by which weather changes the air pressure in an hour.
    static let weatherHectopascals = 2.0
    static let noiseHectopascals = 0.05
    /// The share of readings that a door or a ventilator disturbs, and by how much.
    static let gustShare = 0.02
    static let gustHectopascals = 0.3
    /// A device is held so many metres higher or lower, another height each `holdSeconds`.
    static let holdMetres = 0.4
    static let holdSeconds = 60.0

    private let base: Double
    private let changePerHour: Double
    private var random: SimulationRandom
    private var hold = 0.0
    private var secondsOfNextHold = 0.0

    /// - Parameter weatherPerHour: the change by weather in hPa an hour; nil to draw it.
    public init(seed: UInt64, device: DeviceID, weatherPerHour: Double? = nil) {
        random = SimulationRandom(seed: seed, part: FNV1a.hash("barometer \(device.text)".utf8))
        base = random.uniform(Self.hectopascals.0, Self.hectopascals.1)
        let drawn = random.uniform(-Self.weatherHectopascals, Self.weatherHectopascals)
        changePerHour = weatherPerHour ?? drawn
    }

    /// The air pressure in hPa at a height above the lowest floor, rounded to thousandths.
    ///
    /// The formula is that of a standard atmosphere with its lapse rate (ISO 2533:1975). `seconds`
    /// must never go back.
    mutating func hectopascals(atHeight metres: Double, seconds: Double) -> Double {
        while seconds >= secondsOfNextHold {
            hold = random.uniform(-Self.holdMetres, Self.holdMetres)
            secondsOfNextHold += Self.holdSeconds
        }
        var disturbance = Self.noiseHectopascals * random.gaussian()
        if random.uniform() < Self.gustShare {
            disturbance += Self.gustHectopascals * random.gaussian()
        }
        let foot = base + changePerHour * seconds / 3_600
        let standard = foot * pow(1 - 2.255_77e-5 * (metres + hold), 5.255_88)
        return ((standard + disturbance) * 1_000).rounded() / 1_000
    }
}
