import SeededRandomness
import Testing

@testable import HTTP

@Suite("Quotas of callers and addresses") struct SenderBucketsTests {
    private static let second: Int64 = 1_000_000_000

    private func caller(_ name: String, _ burst: Double = 3) -> SenderBuckets.Sender {
        SenderBuckets.Sender(name, [SenderBuckets.Limit(perSecond: 0.1, burst: burst)])
    }

    private func address(_ name: String, _ burst: Double = 20) -> SenderBuckets.Sender {
        SenderBuckets.Sender(name, [SenderBuckets.Limit(perSecond: 0.1, burst: burst)])
    }

    @Test("New sessions of a spent address push nobody out, and begin no quota anew")
    func flood() {
        let buckets = SenderBuckets(most: 50)
        for _ in 1...3 {
            let wait = buckets.secondsToWait(
                caller("one"), address: address("a"), nowNanoseconds: 0)
            #expect(wait == nil)
        }
        let granted = (0..<5_000).count { number in
            buckets.secondsToWait(
                caller("new \(number)"), address: address("b"), nowNanoseconds: 0) == nil
        }
        #expect(granted == 20, "the burst of the address, and no more")
        let wait = buckets.secondsToWait(caller("one"), address: address("a"), nowNanoseconds: 0)
        #expect(wait == 10, "its session is remembered")
    }

    @Test("A refused session spends nothing of its address")
    func refused() {
        let buckets = SenderBuckets()
        let granted = (0..<100).count { _ in
            buckets.secondsToWait(caller("one"), address: address("a"), nowNanoseconds: 0) == nil
        }
        #expect(granted == 3)
        let others = (0..<100).count { number in
            buckets.secondsToWait(
                caller("new \(number)"), address: address("a"), nowNanoseconds: 0) == nil
        }
        #expect(others == 17)
    }

    @Test("Where all places are taken, those go that have refilled, and then the fullest")
    func full() {
        let buckets = SenderBuckets(most: 10)
        func spend(_ name: String, _ times: Int = 1, at seconds: Int64) -> Int? {
            var last: Int?
            for _ in 1...times {
                last = buckets.secondsToWait(
                    caller(name), address: nil, nowNanoseconds: seconds * Self.second)
            }
            return last
        }
        for number in 1...9 { _ = spend("old \(number)", at: 0) }
        _ = spend("spent", 3, at: 1_000)
        for number in 1...40 { _ = spend("new \(number)", at: 1_000) }
        #expect(spend("spent", at: 1_000) == 10)
    }

    @Test("Random senders are granted as by a slow count of all grants", arguments: 0..<10)
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let buckets = SenderBuckets()
        var grants: [(at: Int64, caller: String, address: String)] = []
        var now: Int64 = 0
        /// The level of a bucket, by a walk through all of its grants.
        func level(_ own: [Int64], burst: Double) -> Double {
            var (level, last) = (burst, Int64(0))
            for at in own + [now] {
                level = min(burst, level + Double(at - last) * 0.125)
                (level, last) = (level - 1, at)
            }
            return level + 1
        }
        for _ in 0..<400 {
            now += Int64.random(in: 0...4, using: &random)
            let name = "c\(Int.random(in: 0..<6, using: &random))"
            let place = "a\(Int.random(in: 0..<2, using: &random))"
            let limit = { (burst: Double) in [SenderBuckets.Limit(perSecond: 0.125, burst: burst)] }
            let wait = buckets.secondsToWait(
                SenderBuckets.Sender(name, limit(3)),
                address: SenderBuckets.Sender(place, limit(8)),
                nowNanoseconds: now * Self.second)
            let may =
                level(grants.filter { $0.caller == name }.map(\.at), burst: 3) >= 1
                && level(grants.filter { $0.address == place }.map(\.at), burst: 8) >= 1
            #expect((wait == nil) == may)
            if wait == nil { grants.append((now, name, place)) }
        }
        #expect(grants.count > 20 && grants.count < 400)
    }
}
