import CMicrohttpd
import Glibc

/// Answers past libmicrohttpd, which can answer only before or after a body, never within one.
/// Whoever sends one ends the connection.
enum RawAnswer {
    /// How much of a body that nobody wants is read, so that its sender gets to read the answer: a
    /// socket closed on unread bytes is reset, and the answer with it.
    static let maximumDiscardedBytes = 1_048_576

    /// Sends what the socket takes at once: nothing was sent on it for this request, so it takes
    /// all. A client that has gone reads nothing, which is no error here.
    static func send(_ response: HTTPResponse, to socket: Int32) {
        guard case .bytes(let body) = response.body else { return }
        let reason = String(cString: MHD_get_reason_phrase_for(UInt32(response.status)))
        var text = Array("HTTP/1.1 \(response.status) \(reason)\r\n".utf8)
        for (name, value) in response.headers { text += "\(name): \(value)\r\n".utf8 }
        text += "content-length: \(body.count)\r\nconnection: close\r\n\r\n".utf8
        text += body
        _ = text.withUnsafeBytes { bytes in
            Glibc.send(
                socket, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        }
        shutdown(socket, Int32(SHUT_WR))
        discard(socket)
    }

    private static func discard(_ socket: Int32) {
        withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { buffer in
            var discarded = 0
            while discarded < maximumDiscardedBytes {
                let count = recv(
                    socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                guard count > 0 else { return }
                discarded += count
            }
        }
    }
}
