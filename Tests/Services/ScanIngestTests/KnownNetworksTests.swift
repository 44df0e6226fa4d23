import Events
import Testing

@testable import ScanIngest

@Suite("Access points that were heard with a name") struct KnownNetworksTests {
    private static let site = SiteID("museum")

    private static func address(_ number: Int) -> HardwareAddress {
        HardwareAddress(value: UInt64(number))
    }

    /// A time in seconds after a beginning.
    private static func at(_ seconds: Int64) -> Timestamp {
        Timestamp(microseconds: 1_795_305_600_000_000 + seconds * 1_000_000)
    }

    @Test("are known for a day after they were heard last, also where the clock was set back")
    func forgotten() {
        let networks = KnownNetworks()
        networks.learn([Self.address(1), Self.address(2)], at: Self.site, now: Self.at(0))
        networks.learn([Self.address(2)], at: Self.site, now: Self.at(50_000))
        func known(_ number: Int, _ seconds: Int64) -> Bool {
            networks.contains(Self.address(number), at: Self.site, now: Self.at(seconds))
        }
        #expect(known(1, 86_399) && !known(1, 86_401))
        #expect(known(2, 86_401) && !known(2, 136_401))
        #expect(known(1, -1_000) && !known(1, -90_000))
        #expect(!known(3, 0))
        #expect(!networks.contains(Self.address(1), at: SiteID("other"), now: Self.at(0)))
    }

    @Test("are noted anew once an hour while they are heard")
    func due() {
        let networks = KnownNetworks()
        func isDue(_ seconds: Int64) -> Bool {
            networks.isDue(Self.address(1), at: Self.site, now: Self.at(seconds))
        }
        #expect(isDue(0))
        networks.learn([Self.address(1)], at: Self.site, now: Self.at(0))
        #expect(!isDue(3_599) && isDue(3_600))
    }

    @Test("are not pushed out by many invented ones, and new ones are learned a day later")
    func full() {
        let networks = KnownNetworks(limit: 10)
        func learn(_ number: Int, _ seconds: Int64) -> Bool {
            networks.learn([Self.address(number)], at: Self.site, now: Self.at(seconds))
            return networks.contains(Self.address(number), at: Self.site, now: Self.at(seconds))
        }
        #expect(learn(0, 0))
        for number in 1..<10 { #expect(learn(number, 100)) }
        #expect(!learn(10, 200))
        #expect(learn(0, 80_000), "one that is heard again stays")
        #expect(!learn(10, 86_450))
        #expect(learn(10, 86_520))
        #expect(networks.contains(Self.address(0), at: Self.site, now: Self.at(86_520)))
    }
}
