/// The readings of one scan: the members that a scan, a survey and a recorded scan share. A new
/// sensor begins here; `ScanContent+Wire` reads and writes its member.
public struct ScanContent: Hashable, Sendable {
    public var wifi: [WiFiReading]
    public var ble: [BluetoothReading]
    /// Nodes that heard the device, in place of what the device heard.
    public var heardBy: [NodeReading]
    public var steps: Int?
    public var headingDegrees: Double?
    public var speedMetresPerSecond: Double?
    /// Magnetic field along the device's x, y and z, in microtesla.
    public var magneticMicrotesla: MagneticField?
    /// The field since the scan before, felt on the way. The last sample is of the scan's time. All
    /// scans of a device have one clock for it, which runs evenly.
    public var magneticSamples: [MagneticSample]
    /// When the steps were made, by the clock of the samples; empty where nobody noted it.
    public var stepsAtMilliseconds: [Int]
    public var gnss: SatelliteFix?

    public init(
        wifi: [WiFiReading] = [], ble: [BluetoothReading] = [], heardBy: [NodeReading] = [],
        steps: Int? = nil, headingDegrees: Double? = nil, speedMetresPerSecond: Double? = nil,
        magneticMicrotesla: MagneticField? = nil, magneticSamples: [MagneticSample] = [],
        stepsAtMilliseconds: [Int] = [], gnss: SatelliteFix? = nil
    ) {
        self.wifi = wifi
        self.ble = ble
        self.heardBy = heardBy
        self.steps = steps
        self.headingDegrees = headingDegrees
        self.speedMetresPerSecond = speedMetresPerSecond
        self.magneticMicrotesla = magneticMicrotesla
        self.magneticSamples = magneticSamples
        self.stepsAtMilliseconds = stepsAtMilliseconds
        self.gnss = gnss
    }

    /// Whether nothing in it says where the device was; a speed alone does not.
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
    /// dBm, -120 to 0.
    public var rssi: Int
    /// MHz.
    public var frequency: Int?
    /// How long before the scan this was really heard.
    public var ageMilliseconds: Int?

    public init(
        bssid: HardwareAddress, ssid: String? = nil, rssi: Int, frequency: Int? = nil,
        ageMilliseconds: Int? = nil
    ) {
        self.bssid = bssid
        self.ssid = ssid
        self.rssi = rssi
        self.frequency = frequency
        self.ageMilliseconds = ageMilliseconds
    }
}

/// One advertisement: an iBeacon's region, or a bare address.
public struct BluetoothReading: Hashable, Sendable {
    public var uuid: EventID?
    public var major: UInt16?
    public var minor: UInt16?
    public var address: HardwareAddress?
    /// dBm, -120 to 0.
    public var rssi: Int
    /// Calibrated power at one metre, dBm.
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
    /// dBm, -120 to 0.
    public var rssi: Int

    public init(scanner: ScannerID, rssi: Int) {
        self.scanner = scanner
        self.rssi = rssi
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
