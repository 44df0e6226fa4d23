import CPostgres

extension PostgresConfiguration {
    /// The fault of a connection string, as text that follows the setting's name. Nil for a valid
    /// one.
    ///
    /// It never quotes the string. libpq would: an `@`, `/` or `#` in a password without
    /// percent-encoding turns parts of it into a host, port or database, and libpq's errors name
    /// those.
    public static func fault(in text: String) -> String? {
        let isAddress = ["postgresql://", "postgres://"].contains { text.hasPrefix($0) }
        guard isAddress || text.contains("=") else {
            return "must start with postgresql://, or be keywords such as host=… dbname=…"
        }
        guard let options = PQconninfoParse(text, nil) else { return unreadable }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            defer { option += 1 }
            guard let value = option.pointee.val.map({ String(cString: $0) }) else { continue }
            switch String(cString: keyword) {
            case "host", "hostaddr":
                let isGood = value.split(separator: ",").allSatisfy(isHost)
                guard isGood else { return unreadable }
            case "port":
                let isGood = value.split(separator: ",").allSatisfy { UInt16($0) != nil }
                guard isGood else { return unreadable }
            case "dbname":
                guard !value.contains("@") else { return unreadable }
            default: break
            }
        }
        return nil
    }

    private static let unreadable =
        "can't be read as an address; what is not a letter or a digit of a password has to be "
        + "percent-encoded, or to stand in PGPASSWORD"

    /// Whether the text is a host name, an address, or a socket's folder.
    private static func isHost(_ text: Substring) -> Bool {
        if text.hasPrefix("/") { return !text.contains("@") }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "%"):
                true
            default: false
            }
        }
    }
}
