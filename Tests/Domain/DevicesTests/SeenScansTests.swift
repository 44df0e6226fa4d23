import Events
import SampleSites
import SeededRandomness
import Testing

@testable import Devices

@Suite("The scans of a partition that were seen") struct SeenScansTests {
    private static let device = SeenScans.hash(of: DeviceKey(SiteID("museum"), DeviceID("d")))
    private static let other = SeenScans.hash(of: DeviceKey(SiteID("museum"), DeviceID("e")))

    private static func moment(_ seconds: Int64) -> Timestamp {
        Timestamp(milliseconds: seconds * 1_000)
    }

    private static func sighting(
        _ id: UInt64, content: UInt32 = 1, at seconds: Int64
    ) -> ScanSighting {
        ScanSighting(
            idHash: id, contentHash: content, at: moment(seconds), arrivedAt: moment(seconds))
    }

    private static func add(
        _ id: UInt64, content: UInt32 = 1, at seconds: Int64, to seen: inout SeenScans
    ) {
        seen.add(
            sighting(id, content: content, at: seconds), of: device, newest: moment(seconds),
            appendedAt: moment(seconds))
    }

    @Test("A scan is new once, then a duplicate, and with other content a conflict")
    func outcomes() {
        var seen = SeenScans()
        #expect(seen.outcome(Self.sighting(1, at: 0), of: Self.device) == .new)
        Self.add(1, at: 0, to: &seen)
        #expect(seen.outcome(Self.sighting(1, at: 0), of: Self.device) == .duplicate)
        #expect(seen.outcome(Self.sighting(1, content: 2, at: 0), of: Self.device) == .conflict)
        #expect(seen.outcome(Self.sighting(2, at: 0), of: Self.device) == .new)
        #expect(seen.outcome(Self.sighting(1, at: 0), of: Self.other) == .new)
    }

    @Test(
        "The first changes give an empty segment, and then one in five minutes, if there are scans")
    func segments() {
        var seen = SeenScans()
        let changes1 = seen.changes(at: Self.moment(0))
        #expect(changes1.written.map(\.idHashes.count) == [0])
        let changes2 = seen.changes(at: Self.moment(400))
        #expect(changes2.written.isEmpty)
        for second in 401..<440 { Self.add(UInt64(second), at: Int64(second), to: &seen) }
        let changes3 = seen.changes(at: Self.moment(439))
        #expect(changes3.written.map(\.idHashes.count) == [39])
        Self.add(500, at: 450, to: &seen)
        let changes4 = seen.changes(at: Self.moment(738))
        #expect(changes4.written.isEmpty)
        let last = seen.changes(at: Self.moment(739)).written
        #expect(last.map(\.number) == [2])
        #expect(last.map(\.newestScans) == [[Self.moment(450)]])
    }

    @Test("Many scans at once make several segments, each small enough for a record")
    func fullSegments() {
        var seen = SeenScans()
        _ = seen.changes(at: Self.moment(0))
        for id in 0..<UInt64(2 * SeenSegment.mostIDs + 10) { Self.add(id, at: 1, to: &seen) }
        let written = seen.changes(at: Self.moment(1)).written
        #expect(written.map(\.idHashes.count) == [SeenSegment.mostIDs, SeenSegment.mostIDs])
        let changes5 = seen.changes(at: Self.moment(301))
        #expect(changes5.written.map(\.idHashes.count) == [10])
    }

    @Test(
        "Stored segments, and positions of what came since, give the same again", arguments: 0..<10)
    func restored(seed: Int) {
        var random = SeededRandom(seed: seed)
        var seen = SeenScans()
        var segments: [(SeenSegment, Timestamp)] = []
        var scans: [EventID] = []
        var second: Int64 = 0
        for number in 0..<3_000 {
            second += Int64.random(in: 0...4, using: &random)
            let id = EventID(high: 1, low: UInt64(number))
            scans.append(id)
            Self.add(ScanSighting.hash(of: id), at: second, to: &seen)
            // The last scans come after the last segment.
            if number >= 2_990 { continue }
            for segment in seen.changes(at: Self.moment(second)).written {
                segments.append((segment, Self.moment(second)))
            }
        }
        var restored = SeenScans()
        for (segment, storedAt) in segments { restored.restore(segment, storedAt: storedAt) }
        #expect(restored.count < 3_000)
        #expect(
            restored.restoredUntil == segments.last?.1.advanced(byMicroseconds: -60_000_000))
        // The positions overlap with the last segment.
        for id in scans.suffix(500) {
            restored.restore(
                id, of: Self.device,
                newest: DeviceTimes(
                    newestScan: Self.moment(second), lastArrival: Self.moment(second)),
                appendedAt: Self.moment(second))
        }
        #expect(restored.count == 3_000)
        for id in scans {
            let sighting = Self.sighting(ScanSighting.hash(of: id), at: 0)
            #expect(restored.outcome(sighting, of: Self.device) == .duplicate)
        }
        #expect(restored.times(of: Self.device)?.newestScan == Self.moment(second))
        // The next segment has the scans that were read back from positions.
        let numbers = segments.map(\.0.number)
        let next = restored.changes(at: Self.moment(second + 300)).written
        #expect(next.map(\.number) == [(numbers.last ?? 0) + 1])
        #expect(
            segments.reduce(0) { $0 + $1.0.idHashes.count } + (next.first?.idHashes.count ?? 0)
                == 3_000)
    }

    @Test("Without a stored segment nothing is read back")
    func neverStored() {
        #expect(SeenScans().restoredUntil == nil)
        var removed = SeenScans()
        removed.restore(removed: 7)
        #expect(removed.restoredUntil == nil)
        let changes6 = removed.changes(at: Self.moment(0))
        #expect(changes6.written.map(\.number) == [8])
    }

    @Test("Ids and segments go after a day, not earlier")
    func expiry() {
        var seen = SeenScans()
        Self.add(1, at: 10, to: &seen)
        let changes7 = seen.changes(at: Self.moment(10))
        #expect(changes7.written.map(\.number) == [0])
        let day = SeenScans.keptSeconds
        let changes8 = seen.changes(at: Self.moment(day + 10))
        #expect(changes8.expired == [])
        #expect(seen.outcome(Self.sighting(1, at: 0), of: Self.device) == .duplicate)
        let changes9 = seen.changes(at: Self.moment(day + 11))
        #expect(changes9.expired == [0])
        _ = seen.changes(at: Self.moment(day + 3_600))
        #expect(seen.outcome(Self.sighting(1, at: 0), of: Self.device) == .new)
        #expect(seen.count == 0)
    }

    @Test("Buckets of a former release count, and are removed when they are a day old")
    func formerBuckets() {
        let key = DeviceKey(SiteID("museum"), DeviceID("d"))
        let bucket = FormerBucket(
            number: 3, newestScan: Self.moment(90), lastArrival: Self.moment(100),
            idHashes: [5, 6], contentHashes: [1, 2])
        var seen = SeenScans()
        seen.restore(bucket, of: key)
        // A bucket was written again with each scan.
        seen.restore(bucket, of: key)
        #expect(seen.count == 2)
        #expect(seen.outcome(Self.sighting(5, at: 0), of: Self.device) == .duplicate)
        #expect(seen.outcome(Self.sighting(6, at: 0), of: Self.device) == .conflict)
        #expect(seen.times(of: Self.device)?.newestScan == Self.moment(90))
        let day = SeenScans.keptSeconds
        let changes10 = seen.changes(at: Self.moment(day))
        #expect(changes10.expiredFormer.isEmpty)
        let expired = seen.changes(at: Self.moment(day + 300)).expiredFormer
        #expect(expired.map(\.number) == [3])
        #expect(expired.map(\.device) == [key])
        let changes11 = seen.changes(at: Self.moment(day + 900))
        #expect(changes11.expiredFormer.isEmpty)
    }

    @Test("An erased device is in no later segment")
    func erased() {
        var seen = SeenScans()
        _ = seen.changes(at: Self.moment(0))
        Self.add(1, at: 1, to: &seen)
        seen.forget(Self.device)
        let written = seen.changes(at: Self.moment(301)).written
        #expect(written.map(\.idHashes.count) == [1])
        #expect(written.map(\.deviceHashes) == [[]])
    }

    @Test(
        "An id takes at most 16 bytes of memory and of the log over a day at 500 scans a second",
        arguments: [5, 60])
    func size(secondsBetweenScans pause: Int) {
        // One partition of twelve. Each device scans once in that many seconds.
        let perSecond = 42
        var seen = SeenScans()
        var logged = 0
        var random = SeededRandom(seed: 1)
        for second in 0..<86_400 {
            let moment = Self.moment(Int64(second))
            for number in 0..<perSecond {
                seen.add(
                    Self.sighting(random.next(), at: Int64(second)),
                    of: UInt64(1 + second % pause * perSecond + number), newest: moment,
                    appendedAt: moment)
            }
            for segment in seen.changes(at: moment).written {
                // With the key, and what a record takes of Kafka's or PostgreSQL's log at most.
                logged += 21 + 12 * segment.idHashes.count + 12 * segment.deviceHashes.count + 120
            }
        }
        let count = 86_400 * perSecond
        #expect(seen.count == count)
        #expect(Double(logged) / Double(count) < 16)
        #expect(Double(seen.byteCount) / Double(count) < 16)
    }

    @Test("A clock that was ahead once does not keep later scans for ever")
    func clockAhead() {
        var seen = SeenScans()
        Self.add(1, at: 100, to: &seen)
        _ = seen.changes(at: Self.moment(100))
        let year: Int64 = 365 * 86_400
        Self.add(2, at: year, to: &seen)
        let changes12 = seen.changes(at: Self.moment(year))
        #expect(changes12.written.count == 1)
        #expect(seen.outcome(Self.sighting(1, at: 0), of: Self.device) == .new)
        Self.add(3, at: 200, to: &seen)
        Self.add(4, at: 4_000, to: &seen)
        #expect(seen.outcome(Self.sighting(3, at: 0), of: Self.device) == .duplicate)
        let day = SeenScans.keptSeconds
        let changes = seen.changes(at: Self.moment(4_000 + day + 3_600))
        #expect(seen.outcome(Self.sighting(3, at: 0), of: Self.device) == .new)
        #expect(seen.outcome(Self.sighting(4, at: 0), of: Self.device) == .new)
        #expect(seen.outcome(Self.sighting(2, at: 0), of: Self.device) == .duplicate)
        // The segment of the future stays for its year; those behind it go in their time.
        #expect(changes.written.map(\.idHashes.count) == [2])
        #expect(changes.expired == [2])
        #expect(seen.count == 1)
    }

    @Test("Scans and a plain list of them agree", arguments: 0..<20)
    func againstList(seed: Int) {
        var random = SeededRandom(seed: seed)
        var seen = SeenScans()
        var known: [UInt64: UInt32] = [:]
        for step in 0..<5_000 {
            let sighting = Self.sighting(
                .random(in: 0..<3_000, using: &random),
                content: .random(in: 0..<2, using: &random), at: Int64(step))
            let outcome = seen.outcome(sighting, of: Self.device)
            guard let content = known[sighting.idHash] else {
                #expect(outcome == .new)
                known[sighting.idHash] = sighting.contentHash
                seen.add(
                    sighting, of: Self.device, newest: sighting.at, appendedAt: sighting.at)
                continue
            }
            #expect(outcome == (content == sighting.contentHash ? .duplicate : .conflict))
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
        // The hashes are fixed here, because stored ones must mean the same in the next version.
        var pinned = SampleSite.scan(1, wifi: [])
        pinned.receivedAt = Timestamp(milliseconds: 3)
        #expect(ContentHash.of(pinned) == 4_641_549_295_113_964_140)
        #expect(Self.device == 14_366_248_806_967_434_334)
        #expect(SeenScans.hash(1, of: 2) == 2_092_789_425_003_139_053)
    }

    @Test("An air pressure is content, and a scan without one keeps the hash that it had")
    func pressure() {
        var scan = SampleSite.scan(1, wifi: [])
        scan.receivedAt = Timestamp(milliseconds: 3)
        var hashes: Set<UInt64> = [ContentHash.of(scan)]
        #expect(hashes == [4_641_549_295_113_964_140])
        for pressure in [1_000, 1_000.001, 300] {
            scan.pressureHectopascals = pressure
            hashes.insert(ContentHash.of(scan))
        }
        #expect(hashes.count == 4)
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
