internal import Events
internal import JSON

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

    mutating func write(_ reading: WiFiReading) {
        beginObject()
        field("bssid", reading.bssid)
        field("ssid", reading.ssid)
        field("rssi", reading.rssi)
        field("frequency", reading.frequency)
        field("ageMilliseconds", reading.ageMilliseconds)
        write(reading.distance)
        endObject()
    }

    mutating func write(_ reading: BluetoothReading) {
        beginObject()
        field("uuid", reading.uuid)
        field("major", reading.major)
        field("minor", reading.minor)
        field("address", reading.address)
        field("rssi", reading.rssi)
        field("txPower", reading.txPower)
        endObject()
    }

    mutating func write(_ reading: NodeReading) {
        beginObject()
        field("scanner", reading.scanner)
        field("rssi", reading.rssi)
        write(reading.distance)
        endObject()
    }

    /// Writes the members of a measured distance; nothing for nil.
    private mutating func write(_ distance: MeasuredDistance?) {
        guard let distance else { return }
        field("distance", distance.metres)
        field("distanceDeviation", distance.deviation)
    }

    /// Writes a satellite fix as the member `gnss`.
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
