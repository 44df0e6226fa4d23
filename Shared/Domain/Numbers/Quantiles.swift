/// The quantile of ascending values, linear between neighbours (Hyndman and Fan 1996, definition
/// 7).
public func quantile(_ sorted: [Double], _ level: Double) -> Double? {
    guard let last = sorted.last else { return nil }
    let position = level * Double(sorted.count - 1)
    let below = Int(position)
    guard below + 1 < sorted.count else { return last }
    return sorted[below] + (position - Double(below)) * (sorted[below + 1] - sorted[below])
}

/// The smallest of ascending values that is not exceeded by at least this share of them (definition
/// 1).
public func nearestRank(_ sorted: [Double], _ share: Double) -> Double? {
    guard !sorted.isEmpty else { return nil }
    let rank = Int((share * Double(sorted.count)).rounded(.up)) - 1
    return sorted[min(max(rank, 0), sorted.count - 1)]
}
