import Events

/// The common form of fingerprint tables: a column for each access point, in dBm, and 100 where it
/// was not received.
enum FingerprintRow {
    static let notHeard = 100.0

    /// The BSSID for a column: the locally administered address 02:00:00:00:00:00 + n for column
    /// `n`. The data sets number their access points, but a scan needs addresses.
    static func address(column: Int) -> HardwareAddress {
        HardwareAddress(value: 0x0200_0000_0000 + UInt64(column))
    }

    /// The readings in the columns, which are numbered from the first of them. Some sets have
    /// halves of a decibel from averaging; these are rounded to the even decibel.
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

    /// A scan of a data set. Its id is made of the time, the file and the row, so reading the set
    /// again gives the same ids.
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
