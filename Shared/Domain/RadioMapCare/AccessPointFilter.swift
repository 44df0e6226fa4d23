public import Events
public import Site

/// Applies a site's rules for access points to the addresses that its surveys received.
///
/// Rules apply to Wi-Fi only, because beacons and nodes are put up on purpose. A network's name
/// counts if any reading of the address has it, because some telephones leave it out.
public struct AccessPointFilter: Sendable {
    /// Addresses that were received but are not allowed.
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

    /// The survey without readings of refused addresses.
    public func kept(_ survey: SurveyRecorded) -> SurveyRecorded {
        guard !refused.isEmpty else { return survey }
        var survey = survey
        survey.scan.wifi.removeAll { refused.contains($0.bssid) }
        return survey
    }
}
