public import ServiceRuntime

/// A list of origins as a setting: `https://map.example, http://localhost:3000`.
public enum OriginList {
    /// The most origins in a list.
    private static let longest = 100

    public static let form = Setting.TextForm("https://host[:port], ...|*") { text in
        let origins = read(text)
        guard origins.count <= longest else { return "may name \(longest) origins at most" }
        if origins == ["*"] { return nil }
        return origins.allSatisfy(isOrigin)
            ? nil : "must be origins such as https://map.example, with commas between them, or *"
    }

    public static func read(_ text: String) -> [String] {
        text.split { $0 == "," || $0 == " " }.map(String.init)
    }

    /// Whether the text is a scheme, a host and perhaps a port. A browser's `Origin` never has a
    /// path or a slash at its end.
    private static func isOrigin(_ text: String) -> Bool {
        for scheme in ["https://", "http://"] where text.hasPrefix(scheme) {
            let host = text.dropFirst(scheme.count)
            return !host.isEmpty
                && host.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"),
                        UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"),
                        UInt8(ascii: "["), UInt8(ascii: "]"):
                        true
                    default: false
                    }
                }
        }
        return false
    }
}
