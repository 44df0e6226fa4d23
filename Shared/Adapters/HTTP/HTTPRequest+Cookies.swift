extension HTTPRequest {
    public func cookie(_ name: String) -> String? { fields.cookie(name) }
}

extension HeaderFields {
    /// The value of the first cookie of this name (RFC 6265, section 5.4). It is not decoded, since
    /// none of our cookies need that.
    func cookie(_ name: String) -> String? {
        guard let cookies = first("cookie") else { return nil }
        for pair in cookies.split(separator: ";") {
            let pair = pair.drop { $0 == " " }
            guard let equals = pair.firstIndex(of: "="), pair[..<equals] == name else { continue }
            return String(pair[pair.index(after: equals)...])
        }
        return nil
    }
}

extension HTTPRequest {
    /// The sender's address as text, by which requests without a token are counted.
    public var senderText: String { senderAddress?.sender.text ?? "memory" }
}
