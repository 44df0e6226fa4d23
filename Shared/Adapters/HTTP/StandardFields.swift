/// The header fields that every answer has, unless its route says something else: nobody guesses at its
/// type, an address is not passed on to where a link leads, and nothing is kept by caches, since most
/// answers are about people.
extension HTTPResponse {
    private static let standardFields = [
        (name: "x-content-type-options", value: "nosniff"),
        (name: "referrer-policy", value: "no-referrer"),
        (name: "cache-control", value: "no-store"),
    ]

    /// Those that it does not have yet.
    var missingStandardFields: [(name: String, value: String)] {
        Self.standardFields.filter { field in !headers.contains { $0.name == field.name } }
    }
}
