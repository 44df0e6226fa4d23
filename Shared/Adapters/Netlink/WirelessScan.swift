import CNetlink

/// Scans for Wi-Fi networks by the kernel's nl80211, which needs CAP_NET_ADMIN.
public enum WirelessScan {
    /// Triggers a scan and returns the attributes of each heard network, as nl80211 writes them.
    /// The call blocks, some seconds.
    public static func networks(
        interface: String, timeoutSeconds: Double
    ) throws(NetlinkError) -> [[UInt8]] {
        let index = if_nametoindex(interface)
        guard index != 0 else { throw NetlinkError("there is no interface \(interface)") }
        let limit = ContinuousClock.now + .seconds(timeoutSeconds)
        let events = try NetlinkSocket(until: limit)
        let socket = try NetlinkSocket(until: limit)
        let family = try socket.family()
        try events.listenForScans()
        try socket.send(
            NL80211_CMD_TRIGGER_SCAN, family: family, index: index, flags: Int32(NLM_F_ACK),
            withAnyName: true)
        try socket.receive { _, _ in true }
        try wait(for: index, at: events)
        try socket.send(
            NL80211_CMD_GET_SCAN, family: family, index: index, flags: Int32(NLM_F_DUMP))
        var networks: [[UInt8]] = []
        try socket.receive { _, attributes in
            networks.append(attributes)
            return true
        }
        return networks
    }

    /// Waits for the end of a scan of this interface.
    private static func wait(for index: UInt32, at events: NetlinkSocket) throws(NetlinkError) {
        var isAborted = false
        try events.receive { command, attributes in
            let isEnd = UInt32(command) == NL80211_CMD_NEW_SCAN_RESULTS.rawValue
            isAborted = UInt32(command) == NL80211_CMD_SCAN_ABORTED.rawValue
            return !((isEnd || isAborted) && names(index, attributes))
        }
        if isAborted { throw NetlinkError("the scan was aborted") }
    }

    /// Whether the attributes name the interface.
    private static func names(_ index: UInt32, _ attributes: [UInt8]) -> Bool {
        var start = 0
        while attributes.count - start >= 8 {
            let count = Int(attributes[start]) | Int(attributes[start + 1]) << 8
            let type = UInt32(attributes[start + 2]) | UInt32(attributes[start + 3]) << 8
            guard count >= 4, start + count <= attributes.count else { return false }
            if type == NL80211_ATTR_IFINDEX.rawValue, count == 8 {
                let value = attributes[(start + 4)..<(start + 8)].reversed()
                return value.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } == index
            }
            start += (count + 3) & ~3
        }
        return false
    }
}
