import CCurl
import Threads

/// The seconds since 1970 of a date as servers write it, such as `Tue, 24 Nov 2026 02:30:51 GMT`.
/// Nil for other texts.
public func secondsSince1970(_ date: String) -> Int64? {
    let seconds = curl_getdate(date, nil)
    return seconds < 0 ? nil : Int64(seconds)
}

/// The certificate that a TLS server shows.
public struct ServerCertificate: Hashable, Sendable {
    /// The end of its time, in seconds since 1970.
    public var endsAt: Int64

    private static let work = BlockingWork("certificates")

    /// Shakes hands with the server, and sends nothing else.
    ///
    /// The certificate is not checked here: one that has ended has to be read as well.
    ///
    /// - Parameter address: `host:port` or `host`, for port 443.
    public static func shown(
        by address: String, timeoutSeconds: Double = 10
    ) async throws(HTTPClientError) -> ServerCertificate {
        let result = await work { read(address, timeoutSeconds) }
        return try result.get()
    }

    private static func read(
        _ address: String, _ timeoutSeconds: Double
    ) -> Result<ServerCertificate, HTTPClientError> {
        guard let easy = curl_easy_init() else { preconditionFailure("libcurl has no memory") }
        defer { curl_easy_cleanup(easy) }
        setText(easy, CURLOPT_URL, "https://\(address)/")
        setText(easy, CURLOPT_PROTOCOLS_STR, "https")
        setText(easy, CURLOPT_NOPROXY, "*")
        setNumber(easy, CURLOPT_NOSIGNAL, 1)
        setNumber(easy, CURLOPT_CONNECT_ONLY, 1)
        setNumber(easy, CURLOPT_CERTINFO, 1)
        setNumber(easy, CURLOPT_SSL_VERIFYPEER, 0)
        setNumber(easy, CURLOPT_SSL_VERIFYHOST, 0)
        setNumber(easy, CURLOPT_TIMEOUT_MS, Int(timeoutSeconds * 1_000))
        let code = curl_easy_perform(easy)
        guard code == CURLE_OK else { return .failure(HTTPClientError(code)) }
        var found: UnsafeMutablePointer<curl_certinfo>?
        guard getCertificates(easy, &found) == CURLE_OK, let info = found?.pointee,
            info.num_of_certs > 0, let endsAt = end(of: info.certinfo[0])
        else {
            return .failure(
                HTTPClientError(
                    code: "transfer-failed", reason: "\(address) shows no certificate",
                    isRetriable: false))
        }
        return .success(ServerCertificate(endsAt: endsAt))
    }

    /// Finds libcurl's line `Expire date:Nov 24 03:15:51 2027 GMT`.
    private static func end(of list: UnsafeMutablePointer<curl_slist>?) -> Int64? {
        let name = "Expire date:"
        var entry = list
        while let line = entry?.pointee {
            let text = line.data.map { String(cString: $0) } ?? ""
            if text.hasPrefix(name) { return secondsSince1970(String(text.dropFirst(name.count))) }
            entry = line.next
        }
        return nil
    }
}
