internal import Events

/// Reads beacons out of advertisements.
enum Advertisement {
    /// The company that iBeacons name, Apple.
    static let company: UInt16 = 0x004C
    /// The service that Eddystone names, Google's.
    static let service = "0000feaa-0000-1000-8000-00805f9b34fb"
    /// Eddystone gives the strength at 0 metres, an iBeacon that at 1 metre. It is 41 dB less
    /// (Eddystone's specification, "Tx Power level").
    private static let decibelsOfFirstMetre = 41

    /// An iBeacon's region in the data of its maker, which begins with 02 15: a UUID, two numbers,
    /// and the strength at a metre.
    static func beacon(makerData bytes: [UInt8], rssi: Int) -> BluetoothReading? {
        guard bytes.count >= 23, bytes[0] == 0x02, bytes[1] == 0x15 else { return nil }
        return BluetoothReading(
            uuid: identifier(bytes[2..<18]), major: UInt16(bytes[18]) << 8 | UInt16(bytes[19]),
            minor: UInt16(bytes[20]) << 8 | UInt16(bytes[21]), rssi: rssi,
            txPower: Int(Int8(bitPattern: bytes[22])))
    }

    /// An Eddystone-UID frame (type 00): the strength, 10 bytes of namespace and 6 of instance.
    ///
    /// They fill the 16 bytes of a UUID in this order, so a beacon keeps one id.
    static func beacon(serviceData bytes: [UInt8], rssi: Int) -> BluetoothReading? {
        guard bytes.count >= 18, bytes[0] == 0x00 else { return nil }
        let power = Int(Int8(bitPattern: bytes[1])) - decibelsOfFirstMetre
        return BluetoothReading(
            uuid: identifier(bytes[2..<18]), rssi: rssi, txPower: max(-128, power))
    }

    private static func identifier(_ bytes: ArraySlice<UInt8>) -> EventID {
        let (high, low) = (bytes.prefix(8), bytes.dropFirst(8))
        return EventID(
            high: high.reduce(0) { $0 << 8 | UInt64($1) },
            low: low.reduce(0) { $0 << 8 | UInt64($1) })
    }
}
