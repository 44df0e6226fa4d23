import SiteExchange

/// OpenStreetMap data as XML (OpenStreetMap wiki, "OSM XML"), for editors such as JOSM.
enum OpenStreetMapText {
    static func xml(of data: OpenStreetMapData) -> [UInt8] {
        var text = Text()
        text.add("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        // Editors don't offer to upload the file: its buildings may be private.
        text.add("<osm version=\"0.6\" generator=\"Whereabouts\" upload=\"never\">\n")
        for node in data.nodes {
            let place =
                " id=\"\(node.id)\" visible=\"true\" lat=\"\(text.degrees(node.latitude))\" "
                + "lon=\"\(text.degrees(node.longitude))\""
            text.element("node", place, node.tags) { _ in }
        }
        for way in data.ways {
            text.element("way", " id=\"\(way.id)\" visible=\"true\"", way.tags) { text in
                for node in way.nodes { text.add("    <nd ref=\"\(node)\"/>\n") }
            }
        }
        for relation in data.relations {
            text.element("relation", " id=\"\(relation.id)\" visible=\"true\"", relation.tags) {
                text in
                for member in relation.members {
                    text.add(
                        "    <member type=\"\(member.kind)\" ref=\"\(member.id)\" "
                            + "role=\"\(text.escaped(member.role))\"/>\n")
                }
            }
        }
        text.add("</osm>\n")
        return text.bytes
    }

    private struct Text {
        private(set) var bytes: [UInt8] = []

        mutating func add(_ text: String) { bytes += Array(text.utf8) }

        mutating func element(
            _ name: String, _ attributes: String, _ tags: OpenStreetMapData.Tags,
            _ parts: (inout Text) -> Void
        ) {
            add("  <\(name)\(attributes)")
            var inner = Text()
            parts(&inner)
            for (key, value) in tags.sorted(by: { $0.key < $1.key }) {
                inner.add("    <tag k=\"\(escaped(key))\" v=\"\(escaped(value))\"/>\n")
            }
            guard !inner.bytes.isEmpty else { return add("/>\n") }
            add(">\n")
            bytes += inner.bytes
            add("  </\(name)>\n")
        }

        /// With seven decimals, as OpenStreetMap has them.
        func degrees(_ value: Double?) -> String {
            guard let value else { return "0" }
            let steps = Int((value * 1e7).rounded())
            let (whole, rest) = abs(steps).quotientAndRemainder(dividingBy: 10_000_000)
            let decimals = String(10_000_000 + rest).dropFirst()
            return "\(steps < 0 ? "-" : "")\(whole).\(decimals)"
        }

        /// A text as the value of an attribute. XML has no control characters.
        func escaped(_ text: String) -> String {
            var escaped = ""
            for scalar in text.unicodeScalars {
                switch scalar {
                case "&": escaped += "&amp;"
                case "<": escaped += "&lt;"
                case ">": escaped += "&gt;"
                case "\"": escaped += "&quot;"
                case "\n", "\r", "\t": escaped += "&#\(scalar.value);"
                case _ where scalar.value < 32 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
                    break
                default: escaped.unicodeScalars.append(scalar)
                }
            }
            return escaped
        }
    }
}
