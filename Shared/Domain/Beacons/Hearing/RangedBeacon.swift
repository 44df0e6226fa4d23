public import Events

/// A beacon with its level and distance, from one reading or after transformers combined several.
public struct RangedBeacon: Hashable, Sendable {
    public var identity: BeaconIdentity
    public var at: Timestamp
    /// dBm.
    public var rssi: Double
    /// The calibrated power at one metre, in dBm.
    public var powerAtOneMetre: Double
    public var distanceMetres: Double
    /// From 0 to 100; nil where the beacon does not send it.
    public var batteryPercent: Int?

    public init(
        identity: BeaconIdentity, at: Timestamp, rssi: Double, powerAtOneMetre: Double,
        distanceMetres: Double, batteryPercent: Int? = nil
    ) {
        self.identity = identity
        self.at = at
        self.rssi = rssi
        self.powerAtOneMetre = powerAtOneMetre
        self.distanceMetres = distanceMetres
        self.batteryPercent = batteryPercent
    }

    /// Nil for a reading that is no iBeacon's, because it lacks a UUID, a major or a minor.
    public init?(_ reading: BluetoothReading, at: Timestamp, pathLoss: PathLoss) {
        guard let uuid = reading.uuid, let major = reading.major, let minor = reading.minor
        else { return nil }
        let power =
            reading.txPower.map(Double.init) ?? pathLoss.powerAtOneMetre ?? PathLoss.usualPower
        let rssi = Double(reading.rssi)
        self.init(
            identity: BeaconIdentity(uuid: uuid, major: major, minor: minor), at: at, rssi: rssi,
            powerAtOneMetre: power,
            distanceMetres: pathLoss.distanceMetres(attenuationDecibels: power - rssi))
    }

    /// The decibels below the power at one metre; negative at shorter distances.
    public var attenuationDecibels: Double { powerAtOneMetre - rssi }
}
