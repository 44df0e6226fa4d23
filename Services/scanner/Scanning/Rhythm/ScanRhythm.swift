internal import Events

/// Decides when the next scan begins. At rest a scanner scans a fifth as often.
///
/// It rests when three scans in a row heard nearly the same: most access points again, and the
/// usual one as strong as before.
struct ScanRhythm: Hashable, Sendable {
    /// Guesses: at rest a laptop's readings change by 1 to 3 dB.
    static let decibelsAtRest = 4
    static let shareAtRest = 0.6
    static let scansUntilRest = 3

    var intervalSeconds: Double
    /// How many times longer the interval is at rest; 1 for never.
    var restFactor: Double
    private var before: [HardwareAddress: Int] = [:]
    private var alike = 0

    init(intervalSeconds: Double, restFactor: Double) {
        self.intervalSeconds = intervalSeconds
        self.restFactor = restFactor
    }

    var isAtRest: Bool { alike >= Self.scansUntilRest }

    /// Seconds from the beginning of this scan to that of the next.
    mutating func seconds(after readings: [WiFiReading]) -> Double {
        let now = Dictionary(readings.map { ($0.bssid, $0.rssi) }) { max($0, $1) }
        alike = isAlike(now) ? alike + 1 : 0
        before = now
        return intervalSeconds * (isAtRest ? restFactor : 1)
    }

    private func isAlike(_ now: [HardwareAddress: Int]) -> Bool {
        let changes = now.compactMap { address, rssi in before[address].map { abs($0 - rssi) } }
        let all = Set(now.keys).union(before.keys).count
        guard all > 0, Double(changes.count) >= Self.shareAtRest * Double(all) else { return false }
        return changes.sorted()[changes.count / 2] <= Self.decibelsAtRest
    }
}
