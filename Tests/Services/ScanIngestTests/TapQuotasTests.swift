import Access
import Events
import SeededRandomness
import ServiceBench
import ServiceHost
import Testing

@testable import ScanIngest

@Suite("Quotas of taps") struct TapQuotasTests {
    private func caller(_ id: String) -> Caller {
        Caller(id: id, grants: [Grant(.device, site: SiteID("sample"))])
    }

    @Test("grant no more in any minute or day than the burst and the rate allow", arguments: 0..<5)
    func rates(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let quotas = TapQuotas()
        var granted: [Int64] = []
        var now = ServiceBench.start
        for _ in 0..<5_000 {
            now = now.advanced(byMicroseconds: Int64.random(in: 0...40_000_000, using: &random))
            if quotas.secondsToWait(caller("one"), "", at: now) == nil {
                granted.append(now.microseconds)
            }
        }
        // The slow twin: every window of a minute and of a day is counted.
        func most(in microseconds: Int64) -> Int {
            granted.map { first in
                granted.count { $0 >= first && $0 < first + microseconds }
            }.max() ?? 0
        }
        #expect(most(in: 60_000_000) <= 12)
        #expect(most(in: 86_400_000_000) <= 200)
        #expect(granted.count > 100)
    }

    @Test("tell the time after which the next tap is granted")
    func waiting() {
        let quotas = TapQuotas()
        let now = ServiceBench.start
        for _ in 0..<6 { #expect(quotas.secondsToWait(caller("one"), "", at: now) == nil) }
        #expect(quotas.secondsToWait(caller("one"), "", at: now) == 10)
        #expect(quotas.secondsToWait(caller("two"), "", at: now) == nil)
        let later = now.advanced(byMicroseconds: 10_000_000)
        #expect(quotas.secondsToWait(caller("one"), "", at: later) == nil)
        #expect(quotas.secondsToWait(caller("one"), "", at: later) == 10)
    }

    @Test("remember a bounded number of senders, and forget those first who have refilled")
    func bounded() {
        let quotas = TapQuotas(mostSenders: 10)
        for number in 0..<9 {
            _ = quotas.secondsToWait(caller("old \(number)"), "", at: ServiceBench.start)
        }
        let later = ServiceBench.start.advanced(byMicroseconds: 2 * 86_400_000_000)
        for _ in 0..<6 { _ = quotas.secondsToWait(caller("one"), "", at: later) }
        _ = quotas.secondsToWait(caller("two"), "", at: later)
        #expect(quotas.secondsToWait(caller("one"), "", at: later) == 10)
        for number in 0..<20 { _ = quotas.secondsToWait(caller("\(number)"), "", at: later) }
        #expect(quotas.secondsToWait(caller("one"), "", at: later) == 10, "the most spent stays")
    }
}
