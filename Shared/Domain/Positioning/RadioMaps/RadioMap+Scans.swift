import Events

extension RadioMap {
    /// A fingerprint as a scan, with the time 0.
    public func scan(of fingerprint: Int) -> RadioScan {
        let readings = readings(of: fingerprint).map { position in
            RadioReading(
                transmitter: transmitters[Int(readingTransmitter[position])],
                rssi: readingRSSI[position])
        }
        return RadioScan(readings: readings, at: Timestamp(microseconds: 0))
    }

    /// Readings of numbered transmitters as a scan, with the time 0. Their RSSI must be that of a
    /// survey, or disturbed: from -128 to 127 dBm.
    func scan(of readings: [NumberedReading]) -> RadioScan {
        let readings = readings.map { reading in
            RadioReading(
                transmitter: transmitters[Int(reading.transmitter)], rssi: Int8(reading.rssi))
        }
        return RadioScan(readings: readings, at: Timestamp(microseconds: 0))
    }

    /// Whether each transmitter was received by any of these fingerprints.
    func isReceived(in fingerprints: [Int32]) -> [Bool] {
        var isReceived = [Bool](repeating: false, count: transmitters.count)
        for fingerprint in fingerprints {
            for position in readings(of: Int(fingerprint)) {
                isReceived[Int(readingTransmitter[position])] = true
            }
        }
        return isReceived
    }

    /// A fingerprint as a scan of numbered transmitters.
    func numberedReadings(of fingerprint: Int, into readings: inout [NumberedReading]) {
        readings.removeAll(keepingCapacity: true)
        for position in self.readings(of: fingerprint) {
            readings.append(
                NumberedReading(
                    transmitter: readingTransmitter[position], rssi: Float(readingRSSI[position])))
        }
    }
}
