import Access
import Events
import Testing

@Suite struct IssuingTests {
    private static let museum = SiteID("museum")
    private static let now = Timestamp(milliseconds: 1_795_248_000_000)
    private static let day: Int64 = 86_400_000_000

    @Test(
        "A site's administrator issues no token for another site, for all sites, or other buildings"
    )
    func reach() throws {
        let own = [Grant(.administratorOfSite, site: Self.museum)]
        func order(_ role: TokenRole, _ site: SiteID?) throws {
            try Issuing.check(
                role, site: site, buildings: [], device: DeviceID("d"), issuer: own)
        }
        try order(.device, Self.museum)
        try order(.administratorOfSite, Self.museum)
        try order(.administrator, Self.museum)
        for role in TokenRole.allCases {
            #expect(throws: Issuing.Refusal.beyondIssuer) { try order(role, SiteID("other")) }
        }
        #expect(throws: Issuing.Refusal.beyondIssuer) { try order(.administrator, nil) }
        #expect(throws: Issuing.Refusal.beyondIssuer) { try order(.analyst, nil) }
        let surveyor = [Grant(.surveyor, site: Self.museum)]
        #expect(throws: Issuing.Refusal.beyondIssuer) {
            try Issuing.check(
                .visitor, site: Self.museum, buildings: [], device: nil, issuer: surveyor)
        }
    }

    @Test("Tokens of devices and scanners name a site and a device; those of buildings, a site")
    func form() {
        for role in [TokenRole.device, .scanner] {
            #expect(throws: Issuing.Refusal.deviceMissing) {
                try Issuing.check(
                    role, site: Self.museum, buildings: [], device: nil, issuer: nil)
            }
        }
        #expect(throws: Issuing.Refusal.siteMissing) {
            try Issuing.check(
                .visitor, site: nil, buildings: [BuildingID("b")], device: nil, issuer: nil)
        }
        #expect(throws: Issuing.Refusal.siteMissing) {
            try Issuing.check(
                .administratorOfSite, site: nil, buildings: [], device: nil, issuer: nil)
        }
    }

    @Test(
        "Every token ends, at the latest with its issuer and within its role's limit"
    )
    func expiry() throws {
        func end(
            _ role: Role, _ days: Int64?, issuer: Int64? = nil
        ) throws(Issuing.Refusal) -> Timestamp {
            try Issuing.expiry(
                of: role, asked: days.map { Self.now.advanced(byMicroseconds: $0 * Self.day) },
                issuerEnd: issuer.map { Self.now.advanced(byMicroseconds: $0 * Self.day) },
                at: Self.now)
        }
        for role in Role.allCases {
            let lifetime = Issuing.lifetime(of: role)
            #expect(lifetime.usualDays <= lifetime.mostDays)
            #expect(
                try end(role, nil)
                    == Self.now.advanced(byMicroseconds: Int64(lifetime.usualDays) * Self.day))
            #expect(throws: Issuing.Refusal.tooLong(days: lifetime.mostDays)) {
                try end(role, Int64(lifetime.mostDays) + 2)
            }
        }
        #expect(
            try end(.visitor, nil, issuer: 3) == Self.now.advanced(byMicroseconds: 3 * Self.day))
        #expect(throws: Issuing.Refusal.afterIssuer) { try end(.visitor, 4, issuer: 3) }
        #expect(throws: Issuing.Refusal.alreadyExpired) { try end(.visitor, 0) }
    }
}
