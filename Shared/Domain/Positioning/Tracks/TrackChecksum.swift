import Events

/// FNV-1a with 32 bits (Fowler, Noll and Vo), over bytes.
struct TrackChecksum {
    private(set) var value: UInt32 = 0x811C_9DC5

    mutating func add(_ byte: UInt8) { value = (value ^ UInt32(byte)) &* 0x0100_0193 }

    mutating func add(_ word: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            add(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
        }
    }

    static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var checksum = TrackChecksum()
        for byte in bytes { checksum.add(byte) }
        return checksum.value
    }
}

extension TrackChecksum {
    /// Scans with fewer readings may be alike by chance, as where one beacon is received.
    static let leastReadings = RadioMap.leastReadingsOfCopy

    /// The checksum of a scan's readings, never 0; nil for a scan with few.
    static func of(_ readings: some Collection<RadioReading>) -> UInt32? {
        guard readings.count >= leastReadings else { return nil }
        var checksum = TrackChecksum()
        for reading in readings {
            checksum.add(reading.transmitter)
            checksum.add(UInt8(bitPattern: reading.rssi))
        }
        return max(1, checksum.value)
    }

    private mutating func add(_ transmitter: Transmitter) {
        switch transmitter {
        case .wifi(let address):
            add(UInt8(0))
            add(address.value)
        case .beacon(let uuid, let major, let minor):
            add(UInt8(1))
            add(uuid.high)
            add(uuid.low)
            add(UInt64(major) << 16 | UInt64(minor))
        case .bluetooth(let address):
            add(UInt8(2))
            add(address.value)
        case .node(let scanner):
            add(UInt8(3))
            for byte in scanner.text.utf8 { add(byte) }
            add(UInt8(0))
        }
    }
}
