internal import JSON
import Site

/// The members of a site's document and its records, which show that a name is misspelt. A reader
/// ignores unknown names, so a room with `resticted` would be open to everybody.
public enum SiteMembers {
    /// The members of a record, by the document's list. A test compares them with
    /// docs/openapi.json.
    public static let ofRecord: [String: Set<String>] = Dictionary(
        uniqueKeysWithValues: RecordKind.all.filter { $0.kind.nested == nil }.map {
            ("\($0.kind.list)", $0.memberNames)
        })

    public static let ofDocument: Set<String> = Set(SiteDocument.fields.map(\.name))
        .union(ofRecord.keys)

    private static let ofStop: Set<String> = ["floor", "room", "x", "y"]
    /// The most unknown names that are listed.
    private static let mostUnknown = 200

    /// Members of the document that no site has, such as `rooms[3].resticted`, in the document's
    /// order.
    public static func unknown(in body: [UInt8]) throws -> [String] {
        try JSONParser.read(body) { root in
            var found: [String] = []
            guard let document = root.object else { return found }
            func look(_ object: JSONObject, _ known: Set<String>, _ path: String) {
                for member in object {
                    let name = member.name.string
                    guard !known.contains(name), found.count < mostUnknown else { continue }
                    found.append(path + name)
                }
            }
            look(document, ofDocument, "")
            for member in document {
                let name = member.name.string
                guard let known = ofRecord[name], let list = member.value.array else { continue }
                for (index, element) in list.enumerated() {
                    guard let record = element.object else { continue }
                    let path = "\(name)[\(index)]."
                    look(record, known, path)
                    guard name == "connections", let stops = record["stops"]?.array else {
                        continue
                    }
                    for (number, stop) in stops.enumerated() {
                        if let stop = stop.object { look(stop, ofStop, "\(path)stops[\(number)].") }
                    }
                }
            }
            return found
        }
    }
}
