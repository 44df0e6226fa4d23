/// The readings and sensor values that a scan, a survey and a recorded scan share. A new sensor
/// begins here; `ScanContent+Wire` reads and writes its member.
public struct ScanContent: Hashable, Sendable {
    public var wifi: [WiFiReading]
    public var ble: [BluetoothReading]
    /// Scanners that received the device, for a scan that the device did not make itself.
    public var heardBy: [NodeReading]
    public var steps: Int?
    public var headingDegrees: Double?
    public var speedMetresPerSecond: Double?
    /// The air pressure at the time of the scan, in hPa as the sensor reads it, not reduced to sea
    /// level.
    public var pressureHectopascals: Double?
    /// Microtesla along the device's x, y and z axes.
    public var magneticMicrotesla: MagneticField?
    /// The magnetic field since the scan before, in order of time. The last sample belongs to the
    /// time of this scan. All scans of a device use one evenly running clock for it.
    public var magneticSamples: [MagneticSample]
    /// The time of each step, by the clock of the samples; empty where steps were not recorded.
    public var stepsAtMilliseconds: [Int]
    public var gnss: SatelliteFix?

    public init(
        wifi: [WiFiReading] = [], ble: [BluetoothReading] = [], heardBy: [NodeReading] = [],
        steps: Int? = nil, headingDegrees: Double? = nil, speedMetresPerSecond: Double? = nil,
        pressureHectopascals: Double? = nil,
        magneticMicrotesla: MagneticField? = nil, magneticSamples: [MagneticSample] = [],
        stepsAtMilliseconds: [Int] = [], gnss: SatelliteFix? = nil
    ) {
        self.wifi = wifi
        self.ble = ble
        self.heardBy = heardBy
        self.steps = steps
        self.headingDegrees = headingDegrees
        self.speedMetresPerSecond = speedMetresPerSecond
        self.pressureHectopascals = pressureHectopascals
        self.magneticMicrotesla = magneticMicrotesla
        self.magneticSamples = magneticSamples
        self.stepsAtMilliseconds = stepsAtMilliseconds
        self.gnss = gnss
    }

    /// Whether nothing in the scan can show where the device was. A speed or an air
    /// pressure alone cannot.
    public var saysNothing: Bool {
        wifi.isEmpty && ble.isEmpty && heardBy.isEmpty && steps == nil
            && stepsAtMilliseconds.isEmpty && magneticMicrotesla == nil && magneticSamples.isEmpty
            && gnss == nil && headingDegrees == nil
    }
}

/// A six-byte hardware address in the low 48 bits.
public struct HardwareAddress: Hashable, Sendable, Comparable {
    public let value: UInt64
    public init(value: UInt64) { self.value = value & 0xFFFF_FFFF_FFFF }
    public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

public struct WiFiReading: Hashable, Sendable {
    public var bssid: HardwareAddress
    public var ssid: String?
    /// The strength in dBm, -120 to 0.
    public var rssi: Int
    /// The frequency in MHz.
    public var frequency: Int?
    /// The age of the reading: milliseconds between it and the scan.
    public var ageMilliseconds: Int?
    /// The distance to the access point, where the radio measured it.
    public var distance: MeasuredDistance?

    public init(
        bssid: HardwareAddress, ssid: String? = nil, rssi: Int, frequency: Int? = nil,
        ageMilliseconds: Int? = nil, distance: MeasuredDistance? = nil
    ) {
        self.bssid = bssid
        self.ssid = ssid
        self.rssi = rssi
        self.frequency = frequency
        self.ageMilliseconds = ageMilliseconds
        self.distance = distance
    }
}

/// One advertisement: an iBeacon's region, or a bare address.
public struct BluetoothReading: Hashable, Sendable {
    public var uuid: EventID?
    public var major: UInt16?
    public var minor: UInt16?
    public var address: HardwareAddress?
    /// The strength in dBm, -120 to 0.
    public var rssi: Int
    /// Calibrated power at one metre, in dBm.
    public var txPower: Int?

    public init(
        uuid: EventID? = nil, major: UInt16? = nil, minor: UInt16? = nil,
        address: HardwareAddress? = nil, rssi: Int, txPower: Int? = nil
    ) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
        self.address = address
        self.rssi = rssi
        self.txPower = txPower
    }
}

public struct NodeReading: Hashable, Sendable {
    public var scanner: ScannerID
    /// The strength in dBm, -120 to 0.
    public var rssi: Int
    /// The distance to the device, where the node measured it.
    public var distance: MeasuredDistance?

    public init(scanner: ScannerID, rssi: Int, distance: MeasuredDistance? = nil) {
        self.scanner = scanner
        self.rssi = rssi
        self.distance = distance
    }
}

public struct MagneticField: Hashable, Sendable {
    public var x: Double
    public var y: Double
    public var z: Double
    public init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }
}

public struct SatelliteFix: Hashable, Sendable {
    public var latitude: Double
    public var longitude: Double
    public var accuracyMetres: Double?
    public init(latitude: Double, longitude: Double, accuracyMetres: Double? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracyMetres = accuracyMetres
    }
}
