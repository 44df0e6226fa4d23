import CNetlink

/// Splits the bytes of a netlink datagram into messages (netlink(7)).
enum NetlinkMessages {
    private static let headBytes = 16
    /// The head of generic netlink: a command, a version, two bytes of nothing.
    private static let genericBytes = 4
    private static let errorType: UInt32 = 2
    private static let doneType: UInt32 = 3

    /// Returns whether more are expected. An acknowledgement is an error with the number 0.
    static func read(
        _ bytes: [UInt8], _ body: (_ command: UInt8, _ attributes: [UInt8]) -> Bool
    ) throws(NetlinkError) -> Bool {
        var start = 0
        while bytes.count - start >= headBytes {
            let count = Int(number(bytes, start, 4))
            guard count >= headBytes, count <= bytes.count - start else { return true }
            let type = number(bytes, start + 4, 2)
            let payload = bytes[(start + headBytes)..<(start + count)]
            start += (count + 3) & ~3
            if type == doneType { return false }
            if type == errorType {
                guard payload.count >= 4 else { return false }
                let code = Int32(bitPattern: number(bytes, payload.startIndex, 4))
                // The kernel's numbers are negative here.
                if code < 0 { throw NetlinkError("nl80211", system: 0 &- code) }
                return false
            }
            guard payload.count >= genericBytes, let command = payload.first else { continue }
            guard body(command, Array(payload.dropFirst(genericBytes))) else { return false }
        }
        return true
    }

    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt32 {
        bytes[start..<(start + count)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
