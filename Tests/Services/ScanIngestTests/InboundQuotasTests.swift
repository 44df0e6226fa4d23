import HTTP
import Testing

@testable import ScanIngest

@Suite struct InboundQuotasTests {
    private static let quota = Quota(recordsPerSecond: 5, burst: 50, bytesPerSecond: 100_000)

    @Test("A backlog counts by the time of sending, and each sender has its own quota")
    func backlog() {
        var quotas = InboundQuotas()
        // An hour of five records a second, read at once.
        for number in 0..<18_000 {
            let isGranted = quotas.acquire(
                "a", Self.quota, bytes: 1_000, atMicroseconds: Int64(number) * 200_000)
            #expect(isGranted)
        }
        let end: Int64 = 3_600_000_000
        let granted = (0..<1_000).count { _ in
            quotas.acquire("b", Self.quota, bytes: 1_000, atMicroseconds: end)
        }
        #expect(granted == 50)
        let other = quotas.acquire("c", Self.quota, bytes: 1_000, atMicroseconds: end)
        let service = (0..<1_000).allSatisfy { _ in
            quotas.acquire("service", nil, bytes: 1_000_000, atMicroseconds: end)
        }
        #expect(other && service)
    }

    @Test("Bytes count too, and times at the ends of their range do no harm")
    func bytes() {
        var quotas = InboundQuotas()
        let granted = (0..<40).count { _ in
            quotas.acquire("a", Self.quota, bytes: 100_000, atMicroseconds: 0)
        }
        #expect(granted == 10)
        for time in [Int64.max, Int64.min, -1] {
            _ = quotas.acquire("b", Self.quota, bytes: 1, atMicroseconds: time)
            _ = quotas.acquire("a", Self.quota, bytes: .max, atMicroseconds: time)
        }
    }
}
