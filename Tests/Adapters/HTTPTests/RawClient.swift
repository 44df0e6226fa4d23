import Glibc

/// A socket that sends exactly the given bytes, for requests that no well-behaved client sends. A
/// read blocks for up to ten seconds, so tests use it on their own threads.
final class RawClient: Sendable {
    private let socket: Int32

    init(port: Int, receiveBufferBytes: Int32? = nil) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(
            socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        if var size = receiveBufferBytes {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                connect(socket, $0.baseAddress, length)
            }
        }
        precondition(result == 0, "cannot connect: \(errno)")
    }

    deinit { Glibc.close(socket) }

    /// Returns false when the server has closed the connection.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Reads until the text has come, the connection ends, or nothing comes for ten seconds.
    func read(until end: String? = nil) -> String {
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let end, String(decoding: all, as: UTF8.self).contains(end) { break }
            let count = recv(socket, &piece, piece.count, 0)
            guard count > 0 else { break }
            all += piece.prefix(count)
        }
        return String(decoding: all, as: UTF8.self)
    }

    /// Whether the server closes the connection within ten seconds. Bytes that it still sends are
    /// ignored.
    func isClosedByServer() -> Bool {
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &piece, piece.count, 0)
            if count == 0 || (count < 0 && errno == ECONNRESET) { return true }
            if count < 0 { return false }
        }
    }

    func close() { shutdown(socket, Int32(SHUT_RDWR)) }
}
