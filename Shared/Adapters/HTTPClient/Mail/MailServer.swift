import CCurl
import Glibc
import Threads

/// A mail server (SMTP) that accepts messages of this program.
public struct MailServer: Sendable {
    /// Whether the connection must be encrypted before anything is sent on it.
    enum Encryption: Sendable, Hashable { case always, ifOffered }

    private static let work = BlockingWork("mail")
    private static let timeoutSeconds = 30

    /// `smtp://host:port`, or `smtps://host:port` for TLS from the first byte.
    let url: String
    /// The address that messages come from.
    let sender: String
    let account: (user: String, password: String)?
    let certificateFile: String?

    /// - Parameters:
    ///   - account: nil for a server that wants no sign-in.
    ///   - certificateFile: certificates (PEM) that are trusted in addition to the machine's own.
    public init(
        url: String, sender: String, account: (user: String, password: String)? = nil,
        certificateFile: String? = nil
    ) {
        self.url = url
        self.sender = sender
        self.account = account
        self.certificateFile = certificateFile
    }

    /// A password must not cross the network in the clear.
    var encryption: Encryption { account == nil ? .ifOffered : .always }

    /// Hands the message to the server.
    public func send(_ message: MailMessage) async throws(MailError) {
        let error = await Self.work { deliver(message) }
        if let error { throw error }
    }

    private func deliver(_ message: MailMessage) -> MailError? {
        guard let easy = curl_easy_init() else { preconditionFailure("libcurl has no memory") }
        defer { curl_easy_cleanup(easy) }
        var recipients: UnsafeMutablePointer<curl_slist>?
        for recipient in message.recipients {
            recipients = curl_slist_append(recipients, recipient)
        }
        defer { curl_slist_free_all(recipients) }
        prepare(easy)
        setPointer(easy, CURLOPT_MAIL_RCPT, recipients)
        var text = message.text(from: sender)
        return text.withUnsafeMutableBytes { bytes in
            // libcurl's default callback reads from a file, so the message becomes one.
            guard let file = fmemopen(bytes.baseAddress, bytes.count, "r") else {
                return MailError(reason: String(cString: strerror(errno)))
            }
            defer { fclose(file) }
            setPointer(easy, CURLOPT_READDATA, UnsafeMutableRawPointer(file))
            return perform(easy)
        }
    }

    private func prepare(_ easy: UnsafeMutableRawPointer) {
        setText(easy, CURLOPT_URL, url)
        setText(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        setText(easy, CURLOPT_NOPROXY, "*")
        setText(easy, CURLOPT_MAIL_FROM, sender)
        setNumber(easy, CURLOPT_NOSIGNAL, 1)
        setNumber(easy, CURLOPT_UPLOAD, 1)
        setNumber(easy, CURLOPT_CONNECTTIMEOUT, 10)
        setNumber(easy, CURLOPT_TIMEOUT, Self.timeoutSeconds)
        let level = encryption == .always ? CURLUSESSL_ALL : CURLUSESSL_TRY
        setNumber(easy, CURLOPT_USE_SSL, Int(level.rawValue))
        if let certificateFile { setText(easy, CURLOPT_CAINFO, certificateFile) }
        if let account {
            setText(easy, CURLOPT_USERNAME, account.user)
            setText(easy, CURLOPT_PASSWORD, account.password)
        }
    }

    private func perform(_ easy: UnsafeMutableRawPointer) -> MailError? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CURL_ERROR_SIZE)) { buffer in
            buffer[0] = 0
            setPointer(easy, CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(buffer.baseAddress))
            let result = curl_easy_perform(easy)
            guard result != CURLE_OK else { return nil }
            let detail = String(cString: buffer.baseAddress!)
            return MailError(
                reason: detail.isEmpty ? String(cString: curl_easy_strerror(result)) : detail)
        }
    }
}

/// The reason why the server did not accept a message.
public struct MailError: Error, Hashable, Sendable, CustomStringConvertible {
    public var reason: String
    public var description: String { reason }
}
