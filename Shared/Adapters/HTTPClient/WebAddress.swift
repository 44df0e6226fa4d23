import CCurl

/// Addresses as libcurl reads and writes them.
public enum WebAddress {
    /// A reference of a page, such as a form's action, as a complete address.
    ///
    /// - Parameter query: replaces the reference's query; nil for none.
    /// - Returns: nil where libcurl can't read one of both, or the result is no http or https.
    public static func joined(
        _ reference: String, to base: String, query: String? = nil
    ) -> String? {
        guard let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        guard curl_url_set(handle, CURLUPART_URL, base, 0) == CURLUE_OK else { return nil }
        if !reference.isEmpty {
            guard curl_url_set(handle, CURLUPART_URL, reference, 0) == CURLUE_OK else {
                return nil
            }
        }
        if let query {
            guard curl_url_set(handle, CURLUPART_QUERY, query, 0) == CURLUE_OK else { return nil }
        }
        _ = curl_url_set(handle, CURLUPART_FRAGMENT, nil, 0)
        guard let scheme = part(CURLUPART_SCHEME, of: handle), ["http", "https"].contains(scheme)
        else { return nil }
        return part(CURLUPART_URL, of: handle)
    }

    /// Whether both addresses have the same scheme, host and port.
    public static func haveOneServer(_ first: String, _ second: String) -> Bool {
        guard let first = server(first), let second = server(second) else { return false }
        return first == second
    }

    private static func server(_ address: String) -> [String]? {
        guard let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        guard curl_url_set(handle, CURLUPART_URL, address, 0) == CURLUE_OK,
            let scheme = part(CURLUPART_SCHEME, of: handle)?.lowercased(),
            let host = part(CURLUPART_HOST, of: handle)?.lowercased()
        else { return nil }
        let usual = scheme == "https" ? "443" : "80"
        return [scheme, host, part(CURLUPART_PORT, of: handle) ?? usual]
    }

    private static func part(_ part: CURLUPart, of handle: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    /// The text as a name or value in a query, by percent signs.
    public static func escaped(_ text: String) -> String {
        guard !text.isEmpty, let escaped = curl_easy_escape(nil, text, 0) else { return "" }
        defer { curl_free(escaped) }
        return String(cString: escaped)
    }
}
