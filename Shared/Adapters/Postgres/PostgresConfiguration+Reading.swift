import CPostgres

extension PostgresConfiguration {
    /// Whether libpq can parse the connection string. Its own error texts quote parts of the
    /// string, possibly of a password without percent-encoding. So this program never uses those
    /// texts.
    var isReadable: Bool {
        let isURL = ["postgresql://", "postgres://"].contains { connectionString.hasPrefix($0) }
        // Any other string is the name of a database.
        guard isURL || connectionString.contains("=") else { return true }
        var message: UnsafeMutablePointer<CChar>?
        let options = PQconninfoParse(connectionString, &message)
        defer {
            PQconninfoFree(options)
            PQfreemem(message)
        }
        guard var option = options else { return false }
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val.map({ String(cString: $0) }) {
                switch String(cString: keyword) {
                // In "user:pa/ss@host" the port is "pa"; in "user:p@ss@host" the host is "ss@host".
                case "port" where !value.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "," }):
                    return false
                case "host" where value.contains("@"): return false
                default: break
                }
            }
            option += 1
        }
        return true
    }
}
