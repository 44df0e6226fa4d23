import CMicrohttpd
import Glibc

/// Answers without libmicrohttpd, which can't answer in the middle of a body. The caller then
/// closes the connection.
enum RawAnswer {
    /// How many bytes of an unwanted body are read. Closing a socket with unread bytes would reset
    /// it, and the client would never read the answer.
    static let maximumDiscardedBytes = 1_048_576

    /// Sends the answer in one call. Nothing was sent on the socket for this request, so the answer
    /// fits. A client that has gone is no error here.
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
