import Access
import Events
import Testing

@Suite struct SendingQuotaTests {
    private func quota(_ role: TokenRole, _ own: TokenQuota? = nil) -> SendingQuota? {
        SendingQuota([Grant(Role(role, isBoundToSite: false))], own)
    }

    @Test("Each role has records and bytes a second, and at once the records of ten seconds")
    func roles() {
        for (role, records, bytes) in [
            (TokenRole.device, 5.0, 100_000.0), (.scanner, 50, 1_000_000),
            (.gateway, 1_000, 4_000_000), (.surveyor, 5_000, 20_000_000),
            (.administratorOfSite, 5_000, 20_000_000), (.administrator, 5_000, 20_000_000),
            (.visitor, 5, 100_000), (.locateOnly, 5, 100_000),
        ] {
            let quota = quota(role)
            #expect(quota?.recordsPerSecond == records, "\(role)")
            #expect(quota?.burst == 10 * records)
            #expect(quota?.bytesPerSecond == bytes)
        }
        #expect(SendingQuota([Grant(.service)]) == nil)
        #expect(SendingQuota([])?.recordsPerSecond == 5)
    }

    @Test("A token's own quota counts, and the rest is its role's")
    func own() {
        let faster = quota(.device, TokenQuota(recordsPerSecond: 20))
        #expect(faster?.burst == 200 && faster?.bytesPerSecond == 100_000)
        let bounded = quota(.gateway, TokenQuota(burst: 7, bytesPerSecond: 9))
        #expect(bounded?.recordsPerSecond == 1_000)
        #expect(bounded?.burst == 7 && bounded?.bytesPerSecond == 9)
    }
}
