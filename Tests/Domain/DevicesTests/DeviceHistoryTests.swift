import Devices
import Events
import Positioning
import SampleSites
import SeededRandomness
import Testing

@Suite struct DeviceHistoryTests {
    private func sighting(
        _ id: UInt64, content: UInt32 = 1, at seconds: Int64, arrived: Int64? = nil
    ) -> ScanSighting {
        ScanSighting(
            idHash: id, contentHash: content, at: Timestamp(milliseconds: seconds * 1_000),
            arrivedAt: Timestamp(milliseconds: (arrived ?? seconds) * 1_000))
    }

    @Test("A scan is new once, then a duplicate, and with other content a conflict")
    func outcomes() {
        var history = DeviceHistory()
        #expect(history.decide(sighting(1, at: 0)) == .new(isLate: false))
        _ = history.evolve(sighting(1, at: 0))
        #expect(history.decide(sighting(1, at: 0)) == .duplicate)
        #expect(history.decide(sighting(1, content: 2, at: 0)) == .conflict)
        #expect(history.decide(sighting(2, at: 0)) == .new(isLate: false))
    }

    @Test("A scan is late when more than five minutes behind the newest scan or its arrival")
    func lateness() {
        var history = DeviceHistory()
        _ = history.evolve(sighting(1, at: 1_000))
        #expect(history.decide(sighting(2, at: 700, arrived: 900)) == .new(isLate: false))
        #expect(history.decide(sighting(2, at: 699, arrived: 900)) == .new(isLate: true))
        #expect(history.decide(sighting(2, at: 1_000, arrived: 1_300)) == .new(isLate: false))
        #expect(history.decide(sighting(2, at: 1_000, arrived: 1_301)) == .new(isLate: true))
    }

    @Test("A clock that once ran ahead does not make later scans late")
    func clockAhead() {
        var history = DeviceHistory()
        _ = history.evolve(sighting(1, at: 90_000, arrived: 1_000))
        #expect(history.decide(sighting(2, at: 1_001)) == .new(isLate: false))
    }

    @Test("Full buckets are never written again, and restoring them gives the same history")
    func buckets() {
        var history = DeviceHistory()
        var stored: [UInt32: DeviceHistory.Bucket] = [:]
        for id in 0..<1_000 {
            let change = history.evolve(sighting(UInt64(id), at: Int64(id)))
            #expect(stored[change.written.number]?.isFull != true)
            #expect(change.written.idHashes.count <= DeviceHistory.idsPerBucket)
            stored[change.written.number] = change.written
        }
        #expect(stored.count == 16)
        let restored = DeviceHistory(buckets: stored.values)
        #expect(restored == history)
        for id in 0..<1_000 {
            #expect(restored.decide(sighting(UInt64(id), at: 0)) == .duplicate)
        }
        #expect(restored.newestScan == Timestamp(milliseconds: 999_000))
    }

    @Test("The two hundred thousandth scan of a device costs no more than the first")
    func manyScans() {
        var history = DeviceHistory()
        let clock = ContinuousClock()
        func add(_ ids: Range<Int>) -> Duration {
            clock.measure {
                for id in ids {
                    let sighting = sighting(UInt64(id) &* 0x9E37_79B9_7F4A_7C15, at: 0)
                    if case .new = history.decide(sighting) { _ = history.evolve(sighting) }
                }
            }
        }
        let first = add(0..<20_000)
        _ = add(20_000..<180_000)
        // Without the index the last part lasted four hundred times as long.
        #expect(add(180_000..<200_000) < first * 20)
        #expect(add(0..<20_000) < first * 20)
        #expect(history.buckets.count == 3_125)
    }

    @Test("A device keeps at most a million scans, and drops the oldest first")
    func cap() {
        let most = DeviceHistory.maximumBuckets
        let full = (0..<UInt32(most)).map { number in
            DeviceHistory.Bucket(
                number: number, newestScan: Timestamp(microseconds: 0),
                lastArrival: Timestamp(microseconds: 0),
                idHashes: (0..<64).map { UInt64(number) * 64 + $0 + 1 },
                contentHashes: Array(repeating: 1, count: 64))
        }
        var history = DeviceHistory(buckets: full)
        #expect(history.decide(sighting(1, at: 0)) == .duplicate)
        #expect(history.evolve(sighting(.max, at: 0)).expired == [0])
        #expect(history.decide(sighting(1, at: 0)) == .new(isLate: false))
        #expect(history.decide(sighting(65, at: 0)) == .duplicate)
        #expect(history.buckets.count == most)
    }

    @Test("Buckets are removed once all their scans arrived over a day ago, not earlier")
    func expiry() {
        var history = DeviceHistory()
        for id in 0..<64 { _ = history.evolve(sighting(UInt64(id), at: Int64(id))) }
        let day = DeviceHistory.keptSeconds
        #expect(history.evolve(sighting(100, at: day + 63)).expired == [])
        #expect(history.decide(sighting(5, at: day + 63)) == .duplicate)
        #expect(history.evolve(sighting(101, at: day + 64)).expired == [0])
        #expect(history.decide(sighting(5, at: day + 64)) == .new(isLate: false))
    }

    @Test("The history agrees with a plain list of all scans", arguments: 0..<20)
    func againstList(seed: Int) {
        var random = SeededRandom(seed: seed)
        var history = DeviceHistory()
        var seen: [UInt64: UInt32] = [:]
        for step in 0..<500 {
            let sighting = sighting(
                .random(in: 0..<300, using: &random),
                content: .random(in: 0..<2, using: &random), at: Int64(step))
            let outcome = history.decide(sighting)
            guard let known = seen[sighting.idHash] else {
                #expect(outcome == .new(isLate: false))
                seen[sighting.idHash] = sighting.contentHash
                _ = history.evolve(sighting)
                continue
            }
            #expect(outcome == (known == sighting.contentHash ? .duplicate : .conflict))
        }
    }

    @Test("A retry has the same content, whenever it was sent and arrived")
    func retries() {
        var scan = SampleSite.surveys[0].scan
        scan.receivedAt = Timestamp(milliseconds: 3)
        var retry = scan
        retry.sentAt = Timestamp(milliseconds: 5)
        retry.receivedAt = Timestamp(milliseconds: 9)
        #expect(ScanSighting(scan).contentHash == ScanSighting(retry).contentHash)
        #expect(ScanSighting(scan).idHash == ScanSighting(retry).idHash)
        var other = scan
        other.wifi[1].rssi -= 1
        #expect(ScanSighting(scan).contentHash != ScanSighting(other).contentHash)
        // The hash is fixed here, because stored hashes must mean the same in the next version.
        var pinned = SampleSite.scan(1, wifi: [])
        pinned.receivedAt = Timestamp(milliseconds: 3)
        #expect(ContentHash.of(pinned) == 4_641_549_295_113_964_140)
    }

    @Test("A sender without a clock may retry too: the time of arrival is not content")
    func retriesWithoutTime() {
        let scan = SampleSite.scan(1, wifi: [])
        var retry = scan
        retry.receivedAt = Timestamp(milliseconds: 9)
        retry.at = retry.receivedAt
        #expect(ContentHash.of(scan) == ContentHash.of(retry))
        retry.at = Timestamp(milliseconds: 8)
        #expect(ContentHash.of(scan) != ContentHash.of(retry))
    }
}
