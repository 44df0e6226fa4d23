import Events
import RadioMapCare
import Site
import Testing

@Suite("AccessPointFilter") struct AccessPointFilterTests {
    static let own = HardwareAddress(value: 0x0062_ECFD_EC50)
    static let unnamed = HardwareAddress(value: 0x0062_ECFD_EC51)
    static let hotspot = HardwareAddress(value: 0x0200_0000_0001)

    static let survey: SurveyRecorded = {
        var survey = SimulatedMap.surveys[0]
        survey.scan.wifi = [
            WiFiReading(bssid: own, ssid: "eduroam", rssi: -50),
            WiFiReading(bssid: unnamed, rssi: -60),
            WiFiReading(bssid: hotspot, ssid: "Anna's phone", rssi: -40),
        ]
        return survey
    }()

    static func kept(_ rules: AccessPointRules) -> [HardwareAddress] {
        AccessPointFilter(rules, surveys: [survey]).kept(survey).scan.wifi.map(\.bssid)
    }

    @Test("Without rules all access points are used")
    func none() {
        #expect(Self.kept(AccessPointRules()) == [Self.own, Self.unnamed, Self.hotspot])
    }

    @Test("Rules allow by network, first bytes and address, and a denial always wins")
    func rules() {
        typealias Rules = AccessPointRules
        #expect(Self.kept(Rules(allow: [.network("eduroam")])) == [Self.own])
        let vendor = Rules.Rule.prefix(0x0062EC, count: 3)
        #expect(Self.kept(Rules(allow: [vendor])) == [Self.own, Self.unnamed])
        #expect(
            Self.kept(Rules(allow: [vendor], deny: [.address(Self.unnamed)])) == [Self.own])
        #expect(Self.kept(Rules(deny: [.prefix(2, count: 1)])) == [Self.own, Self.unnamed])
        #expect(Self.kept(Rules(allow: [.network("other")])).isEmpty)
    }
}
