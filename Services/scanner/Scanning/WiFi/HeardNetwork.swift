internal import Events

/// A Wi-Fi network as a source reports it, before its name is made text.
struct HeardNetwork: Hashable, Sendable {
    var bssid: HardwareAddress
    /// Any 0 to 32 bytes (IEEE 802.11, 9.4.2.2).
    var name: [UInt8] = []
    /// The strength in dBm; nil where the driver gives none in that unit.
    var rssi: Int?
    /// The frequency in MHz.
    var frequency: Int?
    /// Milliseconds since it was heard.
    var ageMilliseconds: Int?
}

extension HeardNetwork {
    /// The strengths that the server takes, in dBm.
    private static let strengths = -120...0
    /// Older ones may have been heard elsewhere. Drivers keep networks for up to 30 s.
    private static let mostAgeMilliseconds = 15_000
    private static let mostReadings = 1_000

    /// The readings of a scan: each access point once, by its strongest report, in order of
    /// addresses.
    static func readings(_ networks: [HeardNetwork]) -> [WiFiReading] {
        var best: [HardwareAddress: WiFiReading] = [:]
        for network in networks {
            guard let reading = network.reading else { continue }
            if let known = best[reading.bssid], known.rssi >= reading.rssi { continue }
            best[reading.bssid] = reading
        }
        return Array(best.values.sorted { $0.bssid < $1.bssid }.prefix(mostReadings))
    }

    private var reading: WiFiReading? {
        guard let rssi, Self.strengths.contains(rssi),
            ageMilliseconds ?? 0 <= Self.mostAgeMilliseconds
        else { return nil }
        return WiFiReading(
            bssid: bssid, ssid: text, rssi: rssi,
            frequency: frequency.flatMap { $0 > 0 ? $0 : nil },
            ageMilliseconds: ageMilliseconds.flatMap { $0 >= 0 ? $0 : nil })
    }

    /// The name as text; nil for a hidden network. Control characters and bytes that are no UTF-8
    /// become U+FFFD.
    var text: String? {
        guard name.contains(where: { $0 != 0 }) else { return nil }
        var text = String.UnicodeScalarView()
        for scalar in String(decoding: name.prefix(32), as: UTF8.self).unicodeScalars {
            text.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
        }
        return String(text)
    }
}
