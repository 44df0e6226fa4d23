import JSON

extension JSONObject {
    /// Refuses members that are not among the known ones. Orders of rights ask it, where a misspelt
    /// `site` would give a right at all of them; elsewhere what is unknown is passed over.
    func checkMembers(_ known: Set<String>) throws(WireFault) {
        for member in self {
            let name = member.name.string
            guard known.contains(name) else {
                throw WireFault(
                    .fieldUnknown, path: String(name.prefix(64)),
                    "known are \(known.sorted().joined(separator: ", "))")
            }
        }
    }
}
