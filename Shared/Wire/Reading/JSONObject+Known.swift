import JSON

extension JSONObject {
    /// Refuses members that are not among the known ones.
    ///
    /// It is used where rights are granted: a misspelt `site` would grant a right at all sites.
    /// Elsewhere unknown members are ignored.
    func checkMembers(_ known: Set<String>) throws(WireFault) {
        for member in self {
            let name = member.name.string
            guard known.contains(name) else {
                throw WireFault(
                    .fieldUnknown, path: String(name.prefix(64)),
                    "use one of \(known.sorted().joined(separator: ", "))")
            }
        }
    }
}
