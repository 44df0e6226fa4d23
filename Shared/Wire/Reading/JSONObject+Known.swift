import JSON

extension JSONObject {
    /// Refuses members that are not among the known ones.
    ///
    /// It is used for bodies that people write: a misspelt `site` would grant a right at all sites,
    /// and a misspelt `beside` would select nothing. Stored records ignore unknown members.
    ///
    /// - Parameter answered: members of answers that may come along. The fault does not name them,
    ///   since nothing can be set by them.
    func checkMembers(
        _ known: Set<String>, or answered: Set<String> = []
    ) throws(WireFault) {
        for member in self {
            let name = member.name.string
            guard known.contains(name) || answered.contains(name) else {
                throw WireFault(
                    .fieldUnknown, path: String(name.prefix(64)),
                    "use one of \(known.sorted().joined(separator: ", "))")
            }
        }
    }
}
