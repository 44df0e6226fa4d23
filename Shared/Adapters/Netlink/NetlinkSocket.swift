import CNetlink
import Glibc

/// A socket of libnl for generic netlink.
final class NetlinkSocket {
    private let handle: OpaquePointer
    private let limit: ContinuousClock.Instant

    /// - Parameter limit: waiting ends then.
    init(until limit: ContinuousClock.Instant) throws(NetlinkError) {
        guard let handle = nl_socket_alloc() else { throw NetlinkError("no memory") }
        self.handle = handle
        self.limit = limit
        let code = genl_connect(handle)
        guard code == 0 else { throw NetlinkError("netlink", code: code) }
    }

    deinit { nl_socket_free(handle) }

    /// The number of nl80211, which a kernel without Wi-Fi doesn't have.
    func family() throws(NetlinkError) -> Int32 {
        let family = genl_ctrl_resolve(handle, "nl80211")
        guard family >= 0 else { throw NetlinkError("nl80211", code: family) }
        return family
    }

    /// From now on, tells of scans come to this socket.
    func listenForScans() throws(NetlinkError) {
        let group = genl_ctrl_resolve_grp(handle, "nl80211", "scan")
        guard group >= 0 else { throw NetlinkError("scan events", code: group) }
        let code = nl_socket_add_membership(handle, group)
        guard code == 0 else { throw NetlinkError("scan events", code: code) }
    }

    /// Sends a command about an interface.
    func send(
        _ command: nl80211_commands, family: Int32, index: UInt32, flags: Int32,
        withAnyName: Bool = false
    ) throws(NetlinkError) {
        guard let message = nlmsg_alloc() else { throw NetlinkError("no memory") }
        defer { nlmsg_free(message) }
        let (port, sequence) = (UInt32(NL_AUTO_PORT), UInt32(NL_AUTO_SEQ))
        genlmsg_put(
            message, port, sequence, family, 0, flags, UInt8(truncatingIfNeeded: command.rawValue),
            0)
        nla_put_u32(message, Int32(NL80211_ATTR_IFINDEX.rawValue), index)
        if withAnyName {
            // One empty name asks all networks to answer.
            let names = nla_nest_start(message, Int32(NL80211_ATTR_SCAN_SSIDS.rawValue))
            nla_put(message, 1, 0, nil)
            nla_nest_end(message, names)
        }
        let code = nl_send_auto(handle, message)
        guard code >= 0 else { throw NetlinkError("send", code: code) }
    }

    /// Passes each message to `body` until it returns false, or the dump or acknowledgement ends.
    func receive(
        _ body: (_ command: UInt8, _ attributes: [UInt8]) -> Bool
    ) throws(NetlinkError) {
        while true {
            try waitForBytes()
            var address = sockaddr_nl()
            var buffer: UnsafeMutablePointer<UInt8>?
            let count = nl_recv(handle, &address, &buffer, nil)
            guard count >= 0 else { throw NetlinkError("receive", code: count) }
            guard let buffer else { continue }
            defer { free(buffer) }
            let bytes = Array(UnsafeBufferPointer(start: buffer, count: Int(count)))
            guard try NetlinkMessages.read(bytes, body) else { return }
        }
    }

    private func waitForBytes() throws(NetlinkError) {
        while true {
            let left = (limit - .now) / .milliseconds(1)
            guard left > 0 else { throw NetlinkError("the kernel did not answer in time") }
            var waiting = pollfd(fd: nl_socket_get_fd(handle), events: Int16(POLLIN), revents: 0)
            if poll(&waiting, 1, Int32(min(left + 1, 60_000))) > 0 { return }
        }
    }
}
