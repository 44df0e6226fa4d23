import Cryptography
import Events
import Wire

/// Seals the states that askers keep themselves (libsodium's secretbox). The key is that of a site,
/// a day of UTC and one asker. So nobody else can use a state, nor the asker himself elsewhere or
/// two days later.
struct MemorySeal: Sendable {
    private static let dayMicroseconds: Int64 = 86_400_000_000

    private let secret: [UInt8]

    /// - Parameter secret: that of all services, so that any locator opens what another one sealed.
    init(secret: String) {
        self.secret = keyedHash(Array("memory of questions".utf8), key: sha256(secret.utf8))
    }

    /// Nil for a state that is larger than `LocateMemory.mostBytes`.
    func seal(_ state: [UInt8], of asker: String, at site: SiteID, now: Timestamp) -> [UInt8]? {
        let sealed = SealedBox.seal(state, key: key(asker, site, day: day(now)))
        return sealed.count <= LocateMemory.mostBytes ? sealed : nil
    }

    /// Nil for bytes that were sealed for somebody else, elsewhere or before yesterday.
    func open(_ sealed: [UInt8], of asker: String, at site: SiteID, now: Timestamp) -> [UInt8]? {
        let today = day(now)
        return SealedBox.open(sealed, key: key(asker, site, day: today))
            ?? SealedBox.open(sealed, key: key(asker, site, day: today - 1))
    }

    private func day(_ now: Timestamp) -> Int64 { now.microseconds / Self.dayMicroseconds }

    private func key(_ asker: String, _ site: SiteID, day: Int64) -> [UInt8] {
        keyedHash(Array("\(site.text)\n\(day)\n\(asker)".utf8), key: secret)
    }
}
