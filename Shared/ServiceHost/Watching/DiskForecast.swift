/// The time until a disk is full, from the free space of the last hours.
struct DiskForecast: Sendable {
    /// Vacuum and the write-ahead log let the free space swing within minutes.
    static let shortestSpan = Duration.seconds(1_800)
    private static let longestSpan = Duration.seconds(6 * 3_600)

    private var readings: [(at: Duration, freeBytes: Double)] = []

    /// Notes the free space.
    ///
    /// - Parameter at: the time since some fixed moment; it only grows.
    mutating func note(freeBytes: Double, at: Duration) {
        readings.append((at, freeBytes))
        readings.removeAll { at - $0.at > Self.longestSpan }
    }

    /// Seconds until nothing is free, by the least-squares line through the readings. Infinite
    /// while the free space does not shrink; nil until the readings span half an hour.
    var secondsUntilFull: Double? {
        guard let first = readings.first, let last = readings.last,
            last.at - first.at >= Self.shortestSpan
        else { return nil }
        let points = readings.map { (($0.at - first.at) / .seconds(1), $0.freeBytes) }
        let count = Double(points.count)
        let meanTime = points.reduce(0) { $0 + $1.0 } / count
        let meanFree = points.reduce(0) { $0 + $1.1 } / count
        let spread = points.reduce(0) { $0 + ($1.0 - meanTime) * ($1.0 - meanTime) }
        let slope = points.reduce(0) { $0 + ($1.0 - meanTime) * ($1.1 - meanFree) } / spread
        return slope < 0 ? last.freeBytes / -slope : .infinity
    }
}
