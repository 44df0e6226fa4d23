internal import Events
import Glibc
internal import MessageBus
internal import Threads
internal import Wire

/// Scans by NetworkManager, which needs no right of its own.
///
/// It gives strengths in percent: 0 is -100 dBm or less and 100 is -40 dBm or more
/// (NetworkManager's `nm_wifi_utils_level_to_quality`). So a strength is known to 0.6 dB, and none
/// above -40 dBm.
struct NetworkManagerSource: WiFiSource {
    private static let work = BlockingWork("networkmanager")
    private static let service = "org.freedesktop.NetworkManager"
    private static let wireless = "org.freedesktop.NetworkManager.Device.Wireless"
    /// NM_DEVICE_TYPE_WIFI.
    private static let wirelessType: Int64 = 2
    private static let limitSeconds = 10.0

    let name = "networkmanager"
    let interface: String
    /// Another bus than the machine's, for tests.
    var busAddress: String?

    func scan() async throws(ScannerFault) -> [HeardNetwork] {
        let source = self
        let result = await Self.work { () -> Result<[HeardNetwork], ScannerFault> in
            do throws(BusError) {
                guard let found = try source.scanNow() else {
                    return .failure(ScannerFault("it has no Wi-Fi device \(source.interface)"))
                }
                return .success(found)
            } catch {
                return .failure(ScannerFault(error.description))
            }
        }
        return try result.get()
    }

    private func scanNow() throws(BusError) -> [HeardNetwork]? {
        let bus = try MessageBus(address: busAddress)
        guard let device = try device(bus) else { return nil }
        let before = try lastScan(bus, device)
        do throws(BusError) {
            _ = try bus.call(Self.service, device, Self.wireless, "RequestScan", [.options([:])])
        } catch {
            // A scan that began a short time ago is as good.
            guard error.name.hasSuffix("NotAllowed") else { throw error }
        }
        let limit = ContinuousClock.now + .seconds(Self.limitSeconds)
        while let now = try lastScan(bus, device), now == before, .now < limit { pause() }
        let paths = try bus.call(Self.service, device, Self.wireless, "GetAllAccessPoints")
        var networks: [HeardNetwork] = []
        for path in paths?.array?.compactMap(\.text) ?? [] {
            // It may have gone meanwhile.
            if let point = try? bus.properties(
                Self.service, path, "org.freedesktop.NetworkManager.AccessPoint"),
                let network = Self.network(point, since: before)
            {
                networks.append(network)
            }
        }
        return networks
    }

    private func device(_ bus: MessageBus) throws(BusError) -> String? {
        let paths = try bus.call(
            Self.service, "/org/freedesktop/NetworkManager", Self.service, "GetDevices")
        for path in paths?.array?.compactMap(\.text) ?? [] {
            let device = try bus.properties(Self.service, path, "\(Self.service).Device")
            if device["DeviceType"]?.integer == Self.wirelessType,
                device["Interface"]?.text == interface
            {
                return path
            }
        }
        return nil
    }

    /// Milliseconds since the start of the machine; nil where NetworkManager is too old to tell.
    private func lastScan(_ bus: MessageBus, _ device: String) throws(BusError) -> Int64? {
        try bus.properties(Self.service, device, Self.wireless)["LastScan"]?.integer
    }

    /// Networks that were last heard before the scan are left out.
    ///
    /// - Parameter before: the scan before, in milliseconds.
    static func network(_ point: BusValue, since before: Int64?) -> HeardNetwork? {
        guard let address = point["HwAddress"]?.text.flatMap({ HardwareAddress($0) }),
            let percent = point["Strength"]?.integer, (0...100).contains(percent)
        else { return nil }
        if let seen = point["LastSeen"]?.integer, seen >= 0, let before, seen * 1_000 + 999 < before
        {
            return nil
        }
        return HeardNetwork(
            bssid: address, name: point["Ssid"]?.bytes ?? [],
            rssi: Int((-40 - Double(100 - percent) * 0.6).rounded()),
            frequency: point["Frequency"]?.integer.map { Int($0) })
    }

    /// Blocks this thread, which is one for blocking work.
    private func pause() { usleep(200_000) }
}
