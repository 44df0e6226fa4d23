import Foundation
import TestSupport

/// Listens at a port and answers each connection as a script says, like a broker that sends what
/// it likes.
final class FalseBroker: Sendable {
    let port: UInt16
    private let listener: Int32

    /// - Parameter script: the bytes to send, given the number of the connection.
    init(_ script: @escaping @Sendable (_ number: Int) -> [UInt8]) throws {
        port = try PrivateBroker.freePort()
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var (one, address) = (Int32(1), sockaddr_in())
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound, listen(listener, 16) == 0 else { throw TestServerError("no false broker") }
        Thread.detachNewThread { [self] in serve(script) }
    }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve(_ script: (Int) -> [UInt8]) {
        var number = 0
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { return }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            // The client greets first.
            _ = recv(connection, &buffer, buffer.count, 0)
            _ = script(number).withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            shutdown(connection, Int32(SHUT_WR))
            // The client closes when it has read all.
            while recv(connection, &buffer, buffer.count, 0) > 0 {}
            close(connection)
            number += 1
        }
    }
}
