import CPostgres

/// A connection string, parsed by libpq.
struct ConnectionWords {
    private var words: [(name: String, value: String)] = []

    init(_ text: String) throws(PostgresError) {
        var message: UnsafeMutablePointer<CChar>?
        let options = PQconninfoParse(text, &message)
        defer {
            PQconninfoFree(options)
            PQfreemem(message)
        }
        guard let options else {
            // libpq's own error text may repeat the password.
            throw .misuse("the connection string can't be parsed")
        }
        var option = options
        while let name = option.pointee.keyword {
            if let value = option.pointee.val {
                words.append((String(cString: name), String(cString: value)))
            }
            option += 1
        }
    }

    /// The connection string as keywords, with some values replaced.
    func replacing(_ others: [String: String]) -> String {
        let kept = words.filter { others[$0.name] == nil }
        return (kept + others.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }).map { word in
            let value = word.1.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
            return "\(word.0)='\(value)'"
        }.joined(separator: " ")
    }
}
