import Events
import Numbers

/// How soon the published room follows a real change of room, for one device or several.
///
/// Nobody knows when between two scans the room changed. So a delay begins in the middle between
/// the last scan in the old room and the first one in the new room. It ends with the first scan
/// from there on whose published room is the new one. Only stays of `leastStaySeconds` count,
/// because shorter ones would leave out late answers and keep early ones.
struct RoomDelays: Hashable {
    /// One scan of a device.
    struct Sample: Hashable {
        var seconds: Double
        var truth: RoomID
        var published: RoomID?
    }

    /// Seconds between the first and the last scan in a room.
    static let leastStaySeconds = 12.0

    /// Seconds, one for each change that counts. Infinite where the room was not published before
    /// the stay's end.
    private(set) var delays: [Double] = []
    /// The number of stays that were too short to count.
    private(set) var shortStays = 0

    init() {}

    /// - Parameter samples: those of one device, in the order of time.
    init(_ samples: [Sample]) {
        var start = 0
        for index in samples.indices.dropFirst() + [samples.count]
        where index == samples.count || samples[index].truth != samples[index - 1].truth {
            // The first room was not entered.
            if start > 0 { count(samples[start..<index], after: samples[start - 1]) }
            start = index
        }
    }

    /// - Parameter stay: the scans in one room, at least one.
    private mutating func count(_ stay: ArraySlice<Sample>, after last: Sample) {
        guard let first = stay.first, let end = stay.last,
            end.seconds - first.seconds >= Self.leastStaySeconds
        else {
            shortStays += 1
            return
        }
        let change = (last.seconds + first.seconds) / 2
        let right = stay.first { $0.published == $0.truth }
        delays.append(right.map { $0.seconds - change } ?? .infinity)
    }

    /// The delay that half of the changes, or a share of them, do not exceed. Nil without changes.
    func seconds(share: Double) -> Double? { nearestRank(delays.sorted(), share) }

    static func + (left: RoomDelays, right: RoomDelays) -> RoomDelays {
        var sum = left
        sum.delays += right.delays
        sum.shortStays += right.shortStays
        return sum
    }
}
