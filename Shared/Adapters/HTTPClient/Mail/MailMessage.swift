internal import Cryptography
import Glibc

/// A message of plain text (RFC 5322).
public struct MailMessage: Sendable {
    /// The most characters of a subject.
    private static let longestSubject = 150

    public var recipients: [String]
    public var subject: String
    public var body: String
    /// Seconds since 1970.
    public var sentAt: Int64
    /// The part of the message's id before the `@`, which no other message has.
    public var id: String

    public init(recipients: [String], subject: String, body: String, sentAt: Int64, id: String) {
        self.recipients = recipients
        self.subject = subject
        self.body = body
        self.sentAt = sentAt
        self.id = id
    }

    /// Whether the text can be an address: an `@` between two parts without spaces and brackets.
    public static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 254
            && text.utf8.allSatisfy { $0 > 32 && $0 < 127 && !"<>,;:\"()[]\\".utf8.contains($0) }
    }

    /// The headers and the body, with CRLF at the end of each line.
    func text(from sender: String) -> [UInt8] {
        let domain = sender.split(separator: "@").last.map(String.init) ?? "localhost"
        let lines =
            [
                "From: Whereabouts <\(sender)>", "To: \(recipients.joined(separator: ", "))",
                "Subject: \(Self.headerText(subject))", "Date: \(date)",
                "Message-ID: <\(id)@\(domain)>", "MIME-Version: 1.0",
                "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64",
                // Keeps out-of-office replies from answering (RFC 3834).
                "Auto-Submitted: auto-generated", "",
            ] + encodedBody
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    /// Base64 keeps every line short, and every character whole.
    private var encodedBody: [String] {
        let crlf = body.split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: "\r\n")
        let encoded = Array(base64(Array(crlf.utf8)).utf8)
        return stride(from: 0, to: encoded.count, by: 76).map { start in
            String(decoding: encoded[start..<min(start + 76, encoded.count)], as: UTF8.self)
        }
    }

    /// The subject on one line; as an encoded word (RFC 2047) if it has other than ASCII letters.
    private static func headerText(_ text: String) -> String {
        let line = String(text.map { $0.isNewline ? " " : $0 }.prefix(longestSubject))
        guard line.utf8.contains(where: { $0 < 32 || $0 > 126 }) else { return line }
        // An encoded word has 75 characters at most, so a long subject becomes several.
        var words: [String] = []
        var part = ""
        for character in line {
            if (part + String(character)).utf8.count > 42 {
                words.append(part)
                part = ""
            }
            part.append(character)
        }
        words.append(part)
        return words.map { "=?utf-8?B?\(base64(Array($0.utf8)))?=" }
            .joined(separator: "\r\n ")
    }

    private var date: String {
        var (seconds, parts) = (time_t(sentAt), tm())
        gmtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, "%a, %d %b %Y %H:%M:%S +0000", &parts)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
