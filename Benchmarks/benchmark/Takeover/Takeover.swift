import Events

/// The times of a takeover, in seconds after the kill.
struct Takeover: CustomStringConvertible {
    private let first: Double
    private let last: Double
    /// The longest time without a position in a partition that the survivor had.
    private let standstill: Double
    /// When that time ended.
    private let standstillUntil: Double
    private let takenOver: Int
    private let megabytes: Double

    /// A partition that has no position for so long was the dead locator's. Sessions of a group
    /// last longer.
    private static let ownSeconds = 3.0

    /// - Parameter times: for each partition, when its positions were appended, in order.
    init(_ times: [[Timestamp]], killedAt: Timestamp, megabytes: Double) {
        func seconds(_ time: Timestamp) -> Double { Double(time - killedAt) / 1e6 }
        var taken: [Double] = []
        var standstill = 0.0
        var standstillUntil = 0.0
        for partition in times {
            let after = partition.map(seconds).filter { $0 > 0 }
            var before = 0.0
            let gaps = after.map { second in
                defer { before = second }
                return (length: second - before, until: second)
            }
            // The survivor's partitions stand still at most; the other ones begin late.
            guard let begin = after.first, begin < Self.ownSeconds else {
                taken.append(after.first ?? .infinity)
                continue
            }
            guard let longest = gaps.max(by: { $0.length < $1.length }) else { continue }
            if longest.length > standstill {
                (standstill, standstillUntil) = longest
            }
        }
        first = taken.min() ?? .infinity
        last = taken.max() ?? .infinity
        takenOver = taken.count
        self.standstill = standstill
        self.standstillUntil = standstillUntil
        self.megabytes = megabytes
    }

    private func figure(_ seconds: Double) -> String {
        seconds.isFinite ? "\((seconds * 100).rounded() / 100)" : "null"
    }

    var description: String {
        "\(takenOver) partitions taken over, the first after \(figure(first)) s, the last after "
            + "\(figure(last)) s; others stood still for \(figure(standstill)) s at most, until "
            + "\(figure(standstillUntil)) s; "
            + "\(Int(megabytes)) MB"
    }

    var json: String {
        #"{"takenOver":\#(takenOver),"first":\#(figure(first)),"last":\#(figure(last)),"#
            + #""standstill":\#(figure(standstill)),"megabytes":\#(Int(megabytes))}"#
    }
}
