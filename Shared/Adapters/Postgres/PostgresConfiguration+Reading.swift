import CPostgres

extension PostgresConfiguration {
    /// Whether libpq can make out what the string says. Where it can't, its own words quote parts
    /// of the string, and a password that is not percent-encoded may be such a part; so they are
    /// never asked for.
    var isReadable: Bool {
        let isURL = ["postgresql://", "postgres://"].contains { connectionString.hasPrefix($0) }
        // Anything else is the name of a database.
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
                // "user:pa/ss@host" has the port "pa", and "user:p@ss@host" the host "ss@host".
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
