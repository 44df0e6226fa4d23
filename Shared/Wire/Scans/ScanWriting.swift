internal import Events
internal import JSON

/// What was heard and sensed, in a scan that is handed in and in one that was recorded.
protocol HeardScan {
    var wifi: [WiFiReading] { get }
    var ble: [BluetoothReading] { get }
    var heardBy: [NodeReading] { get }
    var steps: Int? { get }
    var headingDegrees: Double? { get }
    var speedMetresPerSecond: Double? { get }
    var magneticMicrotesla: MagneticField? { get }
    var magneticSamples: [MagneticSample] { get }
    var stepsAtMilliseconds: [Int] { get }
    var gnss: SatelliteFix? { get }
}

extension ScanRecorded: HeardScan {}
extension ScanSubmission: HeardScan {}

extension JSONWriter {
    mutating func field(_ name: StaticString, _ id: EventID?) {
        guard let id else { return }
        self.name(name)
        string(asciiCount: 36) { id.write(to: $0) }
    }

    mutating func field(_ name: StaticString, _ id: (some TextIdentifier)?) {
        if let id { field(name, id.text) }
    }

    mutating func field(_ name: StaticString, _ time: Timestamp?) {
        field(name, microseconds: time?.microseconds)
    }

    mutating func field(_ name: StaticString, _ address: HardwareAddress?) {
        guard let address else { return }
        self.name(name)
        string(asciiCount: HardwareAddress.byteCount) { address.write(to: $0) }
    }

    /// The members that say what was heard and sensed. A scan that heard nothing says so with an
    /// empty `wifi`.
    mutating func heard(_ scan: some HeardScan) {
        if !scan.wifi.isEmpty || (scan.ble.isEmpty && scan.heardBy.isEmpty) {
            name("wifi")
            beginArray()
            for reading in scan.wifi { write(reading) }
            endArray()
        }
        if !scan.ble.isEmpty {
            name("ble")
            beginArray()
            for reading in scan.ble { write(reading) }
            endArray()
        }
        if !scan.heardBy.isEmpty {
            name("heardBy")
            beginArray()
            for reading in scan.heardBy { write(reading) }
            endArray()
        }
        field("steps", scan.steps)
        field("headingDegrees", scan.headingDegrees)
        field("speedMetresPerSecond", scan.speedMetresPerSecond)
        if let magnetic = scan.magneticMicrotesla {
            name("magnetic")
            beginArray()
            number(magnetic.x)
            number(magnetic.y)
            number(magnetic.z)
            endArray()
        }
        if !scan.magneticSamples.isEmpty { field("magneticSamples", scan.magneticSamples) }
        if !scan.stepsAtMilliseconds.isEmpty { times("stepsAt", scan.stepsAtMilliseconds) }
        if let gnss = scan.gnss { write(gnss) }
    }

    private mutating func write(_ reading: WiFiReading) {
        beginObject()
        field("bssid", reading.bssid)
        field("ssid", reading.ssid)
        field("rssi", reading.rssi)
        field("frequency", reading.frequency)
        field("ageMilliseconds", reading.ageMilliseconds)
        endObject()
    }

    private mutating func write(_ reading: BluetoothReading) {
        beginObject()
        field("uuid", reading.uuid)
        field("major", reading.major)
        field("minor", reading.minor)
        field("address", reading.address)
        field("rssi", reading.rssi)
        field("txPower", reading.txPower)
        endObject()
    }

    private mutating func write(_ reading: NodeReading) {
        beginObject()
        field("scanner", reading.scanner)
        field("rssi", reading.rssi)
        endObject()
    }

    /// As the member `gnss`.
    mutating func write(_ fix: SatelliteFix) {
        name("gnss")
        beginObject()
        field("latitude", fix.latitude)
        field("longitude", fix.longitude)
        field("accuracyMetres", fix.accuracyMetres)
        endObject()
    }

    mutating func field(_ name: StaticString, _ place: SurveyPlace) {
        self.name(name)
        beginObject()
        switch place {
        case .location(let location): field("location", location)
        case .metres(let floor, let x, let y):
            field("floor", floor)
            field("x", x)
            field("y", y)
        case .geographic(let floor, let latitude, let longitude):
            field("floor", floor)
            field("latitude", latitude)
            field("longitude", longitude)
        }
        endObject()
    }
}
