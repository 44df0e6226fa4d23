import CNetlink
import Glibc

/// The reason why the kernel made no scan.
public struct NetlinkError: Error, Hashable, Sendable, CustomStringConvertible {
    public var reason: String
    /// The kernel's number, such as EPERM without CAP_NET_ADMIN or EBUSY; 0 for none.
    public var number: Int32

    /// - Parameter code: libnl's own, negative.
    init(_ place: String, code: Int32) {
        reason = "\(place): \(String(cString: nl_geterror(code)))"
        number = 0
    }

    init(_ place: String, system number: Int32) {
        reason = "\(place): \(String(cString: strerror(number)))"
        self.number = number
    }

    init(_ reason: String) {
        self.reason = reason
        number = 0
    }

    public var description: String { reason }
}
