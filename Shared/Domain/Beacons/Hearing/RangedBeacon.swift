public import Events

/// A beacon as it was heard once, or as transformers have made it of several times.
public struct RangedBeacon: Hashable, Sendable {
    public var identity: BeaconIdentity
    public var at: Timestamp
    /// dBm.
    public var rssi: Double
    /// Calibrated power at one metre, dBm.
    public var powerAtOneMetre: Double
    public var distanceMetres: Double
    /// 0 to 100, where the beacon tells it.
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

    /// Nil for a reading that is not an iBeacon's: it lacks its UUID, its major or its minor.
    public init?(_ reading: BluetoothReading, at: Timestamp, pathLoss: PathLoss) {
        guard let uuid = reading.uuid, let major = reading.major, let minor = reading.minor
        else { return nil }
        let power = reading.txPower.map(Double.init) ?? pathLoss.powerAtOneMetre
        let rssi = Double(reading.rssi)
        self.init(
            identity: BeaconIdentity(uuid: uuid, major: major, minor: minor), at: at, rssi: rssi,
            powerAtOneMetre: power,
            distanceMetres: pathLoss.distanceMetres(attenuationDecibels: power - rssi))
    }

    /// Decibels lost since the first metre; negative nearer than that.
    public var attenuationDecibels: Double { powerAtOneMetre - rssi }
}
