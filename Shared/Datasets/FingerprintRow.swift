import Events

/// What the tables of fingerprints have in common: a column for each access point, in dBm, and 100
/// where it was not heard.
enum FingerprintRow {
    static let notHeard = 100.0

    /// The data sets number their access points; a scan has addresses. Column `n` becomes the
    /// locally administered address 02:00:00:00:00:00 + n, so that the surveys can travel as real
    /// scans.
    static func address(column: Int) -> HardwareAddress {
        HardwareAddress(value: 0x0200_0000_0000 + UInt64(column))
    }

    /// The readings of the columns, numbered from the first of them. Halves of a decibel, which
    /// averaging left in some sets, are rounded to the even decibel.
    static func readings(
        _ reader: CSVReader, columns: Range<Int>
    ) throws(DatasetFault) -> [WiFiReading] {
        var readings: [WiFiReading] = []
        for column in columns {
            let value = try reader.number(column, name: "\(column + 1)")
            guard value != notHeard else { continue }
            guard (-120.0...0).contains(value) else {
                throw reader.fault("\(value) is not an RSSI", column: "\(column + 1)")
            }
            let rssi = Int(value.rounded(.toNearestOrEven))
            let address = address(column: column - columns.lowerBound)
            readings.append(WiFiReading(bssid: address, rssi: rssi))
        }
        return readings
    }

    /// A scan of a data set. The id is made of the time, the file and the row, so that reading the
    /// set again gives the same ids.
    static func scan(
        site: SiteID, device: String, at: Timestamp, file: Int, row: Int, wifi: [WiFiReading],
        ble: [BluetoothReading] = []
    ) -> ScanRecorded {
        let id = EventID(
            millisecondsSinceEpoch: at.milliseconds, random: UInt64(file), UInt64(row))
        return ScanRecorded(
            id: id, site: site, device: DeviceID(device), scanner: ScannerID(device), at: at,
            receivedAt: at, wifi: wifi, ble: ble)
    }
}
