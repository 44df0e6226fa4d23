public import Events
public import Site

/// What a site's rules make of the access points that its surveys heard.
///
/// Only Wi-Fi is judged: beacons and nodes are put up on purpose. A network's name counts if any
/// reading of the address bore it, because some telephones leave it out.
public struct AccessPointFilter: Sendable {
    /// Heard, and not allowed.
    public let refused: Set<HardwareAddress>

    public init(_ rules: AccessPointRules, surveys: some Sequence<SurveyRecorded>) {
        guard !rules.isEmpty else {
            refused = []
            return
        }
        var networks: [HardwareAddress: Set<String>] = [:]
        for survey in surveys {
            for reading in survey.scan.wifi {
                networks[reading.bssid, default: []].formUnion(reading.ssid.map { [$0] } ?? [])
            }
        }
        refused = Set(networks.lazy.filter { !rules.allows($0.key, networks: $0.value) }.map(\.key))
    }

    /// The survey without what is refused.
    public func kept(_ survey: SurveyRecorded) -> SurveyRecorded {
        guard !refused.isEmpty else { return survey }
        var survey = survey
        survey.scan.wifi.removeAll { refused.contains($0.bssid) }
        return survey
    }
}
