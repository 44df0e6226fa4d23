import HTTPClient
import JSON

/// Finds the places that arguments name: by id, or with the site's search.
struct NamedPlaces: Sendable {
    /// A place in the form that `POST /v1/routes` expects.
    struct Place: Sendable {
        /// The JSON member, such as `room`, and its value, the id.
        var member: String
        var value: String
        /// Shows people which place was found, if its name differs from the argument.
        var note: String?

        func write(to writer: inout JSONWriter) {
            writer.beginObject()
            if member == "entrance" {
                writer.field("entrance", true)
            } else {
                writer.name(member)
                writer.string(value)
            }
            writer.endObject()
        }
    }

    private struct Found: Sendable {
        var kind: String
        var id: String
        var name: String
        var match: String
    }

    let services: ServiceClient
    let site: String
    let language: String

    /// The place that the text names.
    ///
    /// - Throws: `CommandFault` with a list of similar places, if the text names none or several.
    func find(_ text: String) async throws -> Place {
        if text == "out" { return Place(member: "entrance", value: "") }
        if text.hasPrefix("kind=") {
            return Place(member: "kind", value: String(text.dropFirst("kind=".count)))
        }
        let found = try await search(text).filter { Self.member(of: $0.kind) != nil }
        if let exact = found.first(where: { $0.id == text }) { return place(exact, asked: text) }
        guard let first = found.first, first.match != "partial" else {
            let similar = found.isEmpty ? "" : "; did you mean \(Self.list(found))?"
            throw CommandFault("nothing at \(site) is called \(text)\(similar)")
        }
        let same = found.filter { $0.name == first.name && $0.match == first.match }
        guard same.count == 1 else {
            // Those without a name are found by their kind.
            let nearest = first.name.isEmpty ? ", or kind=\(text) for the nearest" : ""
            throw CommandFault(
                "several places are called \(text): \(Self.list(same)); use the id of one\(nearest)"
            )
        }
        return place(first, asked: text)
    }

    private func place(_ found: Found, asked: String) -> Place {
        let note = found.name == asked || found.id == asked ? nil : "\(asked): \(found.name)"
        return Place(
            member: Self.member(of: found.kind) ?? "room", value: found.id, note: note)
    }

    /// The JSON member for a search result of this kind; nil if no route can lead to it.
    private static func member(of kind: String) -> String? {
        ["room", "location", "directory", "zone", "building", "floor"].contains(kind) ? kind : nil
    }

    private static func list(_ found: [Found]) -> String {
        found.prefix(8).map { one in
            let place = "\(one.kind) \(one.id)"
            return one.name.isEmpty ? place : "\(one.name) (\(place))"
        }.joined(separator: ", ")
    }

    private func search(_ text: String) async throws -> [Found] {
        let path =
            "/v1/sites/\(site)/search?q=\(inQuery(text))&language=\(inQuery(language))&limit=50"
        let answer = try await services.call("GET", "site-editor", path)
        return try JSONParser.read(answer) { root in
            var found: [Found] = []
            guard let results = root.object?["results"]?.array else { return found }
            for result in results {
                guard let object = result.object else { continue }
                found.append(
                    Found(
                        kind: object["kind"]?.string ?? "", id: object["id"]?.string ?? "",
                        name: object["name"]?.string ?? "", match: object["match"]?.string ?? ""))
            }
            return found
        }
    }
}

/// The text percent-encoded for a query (RFC 3986, section 2.1).
func inQuery(_ text: String) -> String {
    var query = ""
    for byte in text.utf8 {
        let scalar = Unicode.Scalar(byte)
        let isPlain =
            byte < 0x80
            && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || "-._~".unicodeScalars.contains(scalar))
        if isPlain {
            query.unicodeScalars.append(scalar)
        } else {
            let digits = String(byte, radix: 16, uppercase: true)
            query += "%" + (digits.count == 1 ? "0" + digits : digits)
        }
    }
    return query
}
