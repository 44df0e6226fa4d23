import Events
import Geometry
import SampleSites
import SeededRandomness
import Site
import Testing

@testable import Privacy

@Suite("The screen of readings") struct ReadingScreenTests {
    private static let own = HardwareAddress(value: 0x0062_ecfd_ec50)
    private static let other = HardwareAddress(value: 0x0262_ecfd_ec51)
    private static let beacon = HardwareAddress(value: 0xc062_ecfd_ec52)

    private static func document(
        _ rules: AccessPointRules, beacon: HardwareAddress? = nil
    ) -> SiteDocument {
        var document = SampleSite.index.document
        document.accessPoints = rules
        if let beacon {
            document.beacons = [
                SiteBeacon(
                    id: BeaconID("b"), floor: SampleSite.ground, point: [1, 1], address: beacon)
            ]
        }
        return document
    }

    private static func wifi(_ address: HardwareAddress, _ ssid: String?) -> WiFiReading {
        WiFiReading(bssid: address, ssid: ssid, rssi: -50)
    }

    /// The addresses that are left; Bluetooth addresses become 1 unless there is no key.
    private func kept(
        _ content: ScanContent, _ rules: AccessPointRules = AccessPointRules(),
        beacon: HardwareAddress? = nil, uuid: EventID? = nil, known: Set<HardwareAddress> = [],
        optedOut: Set<HardwareAddress> = [], hasKey: Bool = true
    ) -> (
        wifi: [HardwareAddress], ble: [BluetoothReading], dropped: ReadingScreen.Dropped,
        learned: [HardwareAddress]
    ) {
        var content = content
        var learned: [HardwareAddress] = []
        var document = Self.document(rules, beacon: beacon)
        if let uuid {
            document.beacons.append(
                SiteBeacon(
                    id: BeaconID("i"), floor: SampleSite.ground, point: [1, 1], uuid: uuid,
                    major: 1, minor: 1))
        }
        let dropped = ReadingScreen(document).screen(
            &content, isKnown: { known.contains($0) }, learn: { learned.append($0) },
            isOptedOut: { optedOut.contains($0) }, optOut: { learned.append($0) },
            pseudonym: { _ in hasKey ? HardwareAddress(value: 1) : nil })
        return (content.wifi.map(\.bssid), content.ble, dropped, learned)
    }

    @Test(
        "drops networks whose owners asked for it, with and without rules",
        arguments: [
            ("Home_nomap", true), ("Home_optout", true), ("_nomap", true), ("nomap", false),
            ("Home_nomap2", false), ("Home_NOMAP", false), ("", false),
        ])
    func optedOut(name: String, isDropped: Bool) {
        let content = ScanContent(wifi: [Self.wifi(Self.own, name)])
        for rules in [AccessPointRules(), AccessPointRules(allow: [.address(Self.own)])] {
            let result = kept(content, rules)
            #expect(result.wifi.isEmpty == isDropped)
            #expect(result.dropped.optedOut == (isDropped ? 1 : 0))
        }
    }

    @Test("keeps all other networks where no rule names the site's own")
    func withoutRules() {
        let content = ScanContent(wifi: [
            Self.wifi(Self.own, "eduroam"), Self.wifi(Self.other, "Anna's iPhone"),
        ])
        #expect(kept(content).wifi == [Self.own, Self.other])
        let denied = AccessPointRules(deny: [.address(Self.other)])
        #expect(kept(content, denied).wifi == [Self.own, Self.other])
    }

    @Test("drops what the rules don't name", arguments: 0..<3)
    func withRules(rule: Int) {
        let rules: [AccessPointRules.Rule] = [
            .network("eduroam"), .prefix(0x0062ec, count: 3), .address(Self.own),
        ]
        let content = ScanContent(wifi: [
            Self.wifi(Self.own, "eduroam"), Self.wifi(Self.other, "Anna's iPhone"),
        ])
        let result = kept(content, AccessPointRules(allow: [rules[rule]]))
        #expect(result.wifi == [Self.own] && result.dropped.unnamed == 1)
        #expect(result.learned == (rule == 0 ? [Self.own] : []))
    }

    @Test("keeps a reading without a name whose address was heard with a name of the site")
    func nameless() {
        let rules = AccessPointRules(allow: [.network("eduroam")])
        let content = ScanContent(wifi: [Self.wifi(Self.own, nil), Self.wifi(Self.other, "")])
        #expect(kept(content, rules).wifi == [])
        #expect(kept(content, rules, known: [Self.own]).wifi == [Self.own])
        let denied = AccessPointRules(allow: rules.allow, deny: [.address(Self.own)])
        #expect(kept(content, denied, known: [Self.own]).wifi == [])
    }

    @Test("replaces addresses of Bluetooth senders that the site does not name")
    func bluetooth() {
        let uuid = EventID(high: 1, low: 2)
        let content = ScanContent(ble: [
            BluetoothReading(address: Self.beacon, rssi: -60),
            BluetoothReading(address: Self.other, rssi: -60),
            BluetoothReading(uuid: uuid, address: Self.other, rssi: -60),
        ])
        let one = HardwareAddress(value: 1)
        let hashed = kept(content, beacon: Self.beacon)
        #expect(hashed.ble.map(\.address) == [Self.beacon, one, one])
        let keyless = kept(content, beacon: Self.beacon, hasKey: false)
        #expect(keyless.ble.map(\.address) == [Self.beacon, nil])
        #expect(keyless.ble.last?.uuid == uuid && keyless.dropped.withoutKey == 1)
        let rules = AccessPointRules(allow: [.address(Self.beacon)])
        let ruled = kept(content, rules)
        #expect(ruled.ble.map(\.address) == [Self.beacon] && ruled.dropped.unnamed == 2)
        let own = kept(content, rules, uuid: uuid)
        #expect(own.ble.map(\.address) == [Self.beacon, nil] && own.ble.last?.uuid == uuid)
    }

    @Test("drops a stranger's iBeacon where the site has rules, and keeps all where it has none")
    func strangersBeacon() {
        let (own, other) = (EventID(high: 1, low: 2), EventID(high: 1, low: 3))
        let content = ScanContent(ble: [
            BluetoothReading(uuid: own, major: 7, minor: 8, rssi: -60),
            BluetoothReading(uuid: other, major: 7, minor: 8, rssi: -60),
            BluetoothReading(rssi: -60),
        ])
        let rules = AccessPointRules(allow: [.network("eduroam")])
        #expect(kept(content, rules, uuid: own).ble.map(\.uuid) == [own])
        #expect(kept(content, uuid: own).ble.count == 3)
    }

    @Test("drops readings without a name of an access point whose owner opted out")
    func namelessOptedOut() {
        let named = ScanContent(wifi: [Self.wifi(Self.other, "Home_nomap")])
        #expect(kept(named).learned == [Self.other])
        let nameless = ScanContent(wifi: [Self.wifi(Self.other, nil), Self.wifi(Self.own, "")])
        let result = kept(nameless, optedOut: [Self.other])
        #expect(result.wifi == [Self.own] && result.dropped.optedOut == 1)
    }

    @Test("lets nobody opt out an access point of the site by an invented name", arguments: 0..<3)
    func ownOptedOut(kind: Int) {
        let rules = [
            AccessPointRules(), AccessPointRules(allow: [.address(Self.own)]),
            AccessPointRules(allow: [.network("eduroam")]),
        ][kind]
        let placed = kind == 0 ? Self.own : nil
        let known: Set<HardwareAddress> = kind == 2 ? [Self.own] : []
        let forged = ScanContent(wifi: [Self.wifi(Self.own, "x_nomap")])
        let first = kept(forged, rules, beacon: placed, known: known)
        #expect(first.learned == [] && first.wifi == [])
        let nameless = ScanContent(wifi: [Self.wifi(Self.own, nil)])
        let second = kept(nameless, rules, beacon: placed, known: known, optedOut: [Self.own])
        #expect(second.wifi == [Self.own])
    }

    /// The obvious way: a reading at a time, with sets of all that is allowed.
    @Test("gives what an obvious screen gives", arguments: 0..<200)
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let names = ["eduroam", "guest", "Anna's iPhone", "x_nomap"]
        let addresses = (0..<6).map { HardwareAddress(value: 0x0062_0000_0000 + $0) }
        var allow: [AccessPointRules.Rule] = []
        if Bool.random(using: &random) { allow.append(.network("eduroam")) }
        if Bool.random(using: &random) { allow.append(.address(addresses[0])) }
        var deny: [AccessPointRules.Rule] = []
        if Bool.random(using: &random) { deny.append(.address(addresses[1])) }
        if Bool.random(using: &random) { deny.append(.network("guest")) }
        let rules = AccessPointRules(allow: allow, deny: deny)
        let wifi = (0..<Int.random(in: 0...20, using: &random)).map { _ in
            Self.wifi(
                addresses.randomElement(using: &random)!, names.randomElement(using: &random)!)
        }
        let expected = wifi.filter { reading in
            if reading.ssid == "x_nomap" { return false }
            return allow.isEmpty || rules.allows(reading.bssid, networks: [reading.ssid!])
        }
        let result = kept(ScanContent(wifi: wifi), rules)
        #expect(result.wifi == expected.map(\.bssid))
        let dropped = result.dropped
        #expect(dropped.optedOut + dropped.unnamed == wifi.count - expected.count)
    }
}
