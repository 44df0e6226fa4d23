/// The Wi-Fi sources by name, in the order in which they are tried.
enum WiFiSources {
    static let names = ["nl80211", "networkmanager", "iw"]

    /// - Parameter name: nil for all.
    static func sources(_ name: String?, interface: String) -> [any WiFiSource] {
        let all: [any WiFiSource] = [
            NetlinkSource(interface: interface), NetworkManagerSource(interface: interface),
            IwSource(interface: interface),
        ]
        return all.filter { name == nil || $0.name == name }
    }
}
