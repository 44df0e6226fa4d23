import Events
import Positioning

/// A survey's scan with its readings, listed once for all tables.
struct HeardSurvey {
    var scan: ScanRecorded
    var readings: [Heard]
}

/// One reading of a survey, of any transmitter.
struct Heard {
    var transmitter: Transmitter
    var rssi: Int
    var name: String?
    var frequency: Int?

    static func all(_ scan: ScanRecorded) -> [Heard] {
        var all: [Heard] = []
        all.reserveCapacity(scan.wifi.count + scan.ble.count + scan.heardBy.count)
        for reading in scan.wifi {
            all.append(
                Heard(
                    transmitter: .wifi(reading.bssid), rssi: reading.rssi, name: reading.ssid,
                    frequency: reading.frequency))
        }
        for reading in scan.ble {
            guard let transmitter = reading.transmitter else { continue }
            all.append(Heard(transmitter: transmitter, rssi: reading.rssi))
        }
        for reading in scan.heardBy {
            all.append(Heard(transmitter: .node(reading.scanner), rssi: reading.rssi))
        }
        return all
    }
}
