import Glibc

/// A listening TCP socket. It is opened here and not by libmicrohttpd, so that a failure has a
/// reason.
enum ListeningSocket {
    /// The number of connections that may wait to be accepted. The system may allow fewer
    /// (net.core.somaxconn).
    private static let backlog: Int32 = 65_535

    /// Returns the socket, which the caller closes, and its port.
    static func open(address: String, port: Int) throws(HTTPServerError) -> (
        socket: Int32, port: Int
    ) {
        guard let number = in_port_t(exactly: port) else {
            throw HTTPServerError(code: "port-malformed", reason: "\(port) is not a port")
        }
        var short = sockaddr_in()
        short.sin_family = sa_family_t(AF_INET)
        short.sin_port = number.bigEndian
        var long = sockaddr_in6()
        long.sin6_family = sa_family_t(AF_INET6)
        long.sin6_port = number.bigEndian
        do throws(HTTPServerError) {
            if inet_pton(AF_INET, address, &short.sin_addr) == 1 {
                return try open(&short, AF_INET)
            }
            if inet_pton(AF_INET6, address, &long.sin6_addr) == 1 {
                return try open(&long, AF_INET6)
            }
        } catch {
            // The address helps an operator find the service that occupies it.
            let place = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
            throw HTTPServerError(code: error.code, reason: "\(place): \(error.reason)")
        }
        throw HTTPServerError(
            code: "address-malformed", reason: "\(address) is not an IP address in digits")
    }

    private static func open<Address>(
        _ address: inout Address, _ family: Int32
    ) throws(HTTPServerError) -> (socket: Int32, port: Int) {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let listener = socket(family, type, 0)
        guard listener >= 0 else { throw .system("socket", errno) }
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var length = socklen_t(MemoryLayout<Address>.size)
        let failure = withUnsafeMutableBytes(of: &address) { bytes -> String? in
            guard let generic = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
                return "bind"
            }
            if bind(listener, generic, length) != 0 { return "bind" }
            if listen(listener, backlog) != 0 { return "listen" }
            return getsockname(listener, generic, &length) == 0 ? nil : "getsockname"
        }
        if let failure {
            let number = errno
            close(listener)
            throw .system(failure, number)
        }
        // The port is at the same position in both kinds of address.
        let port = withUnsafeBytes(of: &address) {
            in_port_t(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: in_port_t.self))
        }
        return (listener, Int(port))
    }
}
