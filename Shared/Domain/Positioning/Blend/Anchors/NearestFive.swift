/// The five smallest of the distances inserted, separately for each exponent.
struct NearestFive {
    // Rows that share nothing with a scan are at distance 1.
    private var first = AnchorDistances.Lanes(repeating: 1)
    private var second = AnchorDistances.Lanes(repeating: 1)
    private var third = AnchorDistances.Lanes(repeating: 1)
    private var fourth = AnchorDistances.Lanes(repeating: 1)
    /// The fifth smallest distance: larger ones change nothing.
    private(set) var limit = AnchorDistances.Lanes(repeating: 1)

    // There is no branch, because it cannot be predicted whether a row is among the nearest. All
    // five values stay in registers.
    mutating func insert(_ distances: UnsafeBufferPointer<AnchorDistances.Lanes>) {
        var (first, second, third, fourth, limit) = (first, second, third, fourth, limit)
        for distance in distances {
            var rest = larger(first, distance)
            first = smaller(first, distance)
            (second, rest) = (smaller(second, rest), larger(second, rest))
            (third, rest) = (smaller(third, rest), larger(third, rest))
            (fourth, rest) = (smaller(fourth, rest), larger(fourth, rest))
            limit = smaller(limit, rest)
        }
        (self.first, self.second, self.third) = (first, second, third)
        (self.fourth, self.limit) = (fourth, limit)
    }

    /// The mean of the `count` smallest distances; 5 at most.
    func mean(of count: Int) -> AnchorDistances.Lanes {
        switch count {
        case 1: first
        case 2: (first + second) / 2
        case 3: (first + second + third) / 3
        case 4: (first + second + third + fourth) / 4
        default: (first + second + third + fourth + limit) / 5
        }
    }
}
