import Events

/// The scans of a site's visitors on one day. Each device has one voice for each access point.
struct VisitorDay {
    /// The most devices that count.
    static let mostDevices = 2_000
    /// The most scans of a device that count.
    static let mostScans = 500
    /// The most access points about which a device has a voice; the first ones count.
    static let mostVotes = 250
    /// The most among them that the map lacks, so that invented ones use up no more.
    static let mostFresh = 20

    private struct Visitor {
        var scans = 0
        /// Votes about access points that the map lacks.
        var fresh = 0
        /// The places where it was.
        var cells: Set<Int> = []
        var votes: [HardwareAddress: VisitorVote] = [:]

        /// Whether the device misses so much that it says nothing of what it misses. One that had
        /// to receive too little is counted as deaf, too.
        var isDeaf: Bool {
            var (missed, all) = (0, 0)
            for vote in votes.values {
                missed += vote.comparisons.missed
                all += vote.comparisons.all
            }
            return all < SessionSummary.fewestComparisons
                || Double(missed) > SessionSummary.largestMissedShare * Double(all)
        }

        /// Whether the limits left out access points that it may have received.
        var isFull: Bool { fresh >= mostFresh || votes.count >= mostVotes }

        /// Whether there is room for a vote about the access point.
        mutating func hasRoom(for address: HardwareAddress, isFresh: Bool) -> Bool {
            if votes[address] != nil { return true }
            guard votes.count < mostVotes, !isFresh || fresh < mostFresh else { return false }
            fresh += isFresh ? 1 : 0
            return true
        }
    }

    private var visitors: [DeviceID: Visitor] = [:]

    /// Whether another scan of the device would count.
    func wants(_ device: DeviceID) -> Bool {
        visitors[device].map { $0.scans < Self.mostScans } ?? (visitors.count < Self.mostDevices)
    }

    /// Adds a scan, if it counts.
    ///
    /// - Parameters:
    ///   - received: dBm of access points of the map.
    ///   - fresh: dBm of those that the map lacks.
    mutating func add(
        of device: DeviceID, at time: Timestamp, _ received: [HardwareAddress: Int],
        fresh: [HardwareAddress: Int], on ground: VisitorGround
    ) {
        guard wants(device) else { return }
        var visitor = visitors[device] ?? Visitor()
        visitor.scans += 1
        if let scan = VisitorScan(received, fresh: fresh, on: ground) {
            if let cell = scan.cell { visitor.cells.insert(cell) }
            // The order is fixed, so that the limits leave out the same ones each time.
            let own = Set(scan.words.keys).union(received.keys).subtracting(fresh.keys).sorted()
            for address in own + fresh.keys.sorted() {
                let isFresh = fresh[address] != nil
                guard visitor.hasRoom(for: address, isFresh: isFresh) else { continue }
                visitor.votes[address, default: VisitorVote()].add(
                    scan.words[address], isReceived: isFresh || received[address] != nil, at: time)
            }
        }
        visitors[device] = visitor
    }

    /// The voices of the day, about each access point that enough devices mention.
    var tallies: [HardwareAddress: VisitorTally] {
        var tallies: [HardwareAddress: VisitorTally] = [:]
        for visitor in visitors.values {
            let isDeaf = visitor.isDeaf
            for (address, vote) in visitor.votes {
                vote.count(in: &tallies[address, default: VisitorTally()], isDeaf: isDeaf)
            }
        }
        tallies = tallies.filter { $0.value.isEvidence }
        let listeners = visitors.values.filter { !$0.isDeaf && !$0.isFull }
        for (address, tally) in tallies where tally.knowsNewPlaces {
            let cells = tally.trustedCells.keys
            tallies[address]?.voices.silent = listeners.count { visitor in
                visitor.votes[address]?.isReceived != true
                    && cells.contains(where: visitor.cells.contains)
            }
        }
        return tallies
    }
}
