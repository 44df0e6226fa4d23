import Cryptography
import Events
import Wire

/// Seals the states that askers keep themselves (libsodium's secretbox). The key is that of a site,
/// a day of UTC and one asker. So nobody else can use a state, nor the asker himself elsewhere or
/// two days later.
struct MemorySeal: Sendable {
    private static let dayMicroseconds: Int64 = 86_400_000_000

    /// That of all services, so that any locator opens what another one sealed.
    let secret: String

    /// Nil for a state that is larger than `LocateMemory.mostBytes`.
    func seal(_ state: [UInt8], of asker: String, at site: SiteID, now: Timestamp) -> [UInt8]? {
        let sealed = key(asker, site, day: day(now)).seal(state)
        return sealed.count <= LocateMemory.mostBytes ? sealed : nil
    }

    /// Nil for bytes that were sealed for somebody else, elsewhere or before yesterday.
    func open(_ sealed: [UInt8], of asker: String, at site: SiteID, now: Timestamp) -> [UInt8]? {
        let today = day(now)
        return key(asker, site, day: today).open(sealed)
            ?? key(asker, site, day: today - 1).open(sealed)
    }

    private func day(_ now: Timestamp) -> Int64 { now.microseconds / Self.dayMicroseconds }

    private func key(_ asker: String, _ site: SiteID, day: Int64) -> SealingKey {
        SealingKey("memory of questions\n\(site.text)\n\(day)\n\(asker)", secret: secret)
    }
}
