internal import Netlink
internal import Threads

/// Scans by the kernel itself.
struct NetlinkSource: WiFiSource {
    private static let work = BlockingWork("nl80211")
    private static let limitSeconds = 15.0

    let name = "nl80211"
    let interface: String

    func scan() async throws(ScannerFault) -> [HeardNetwork] {
        let interface = interface
        let result = await Self.work { () -> Result<[[UInt8]], ScannerFault> in
            do throws(NetlinkError) {
                return .success(
                    try WirelessScan.networks(
                        interface: interface, timeoutSeconds: Self.limitSeconds))
            } catch {
                return .failure(ScannerFault(error.description))
            }
        }
        return try result.get().compactMap { NetlinkAttributes.network(in: $0) }
    }
}
