extension AccessTable {
    /// Paths by which visitors show where they are, and the code of a tag.
    static let sharing: [AccessRow] = [
        // The share of the caller's own session.
        AccessRow("GET", "/v1/sites/{site}/shared-position", strollers, .building),
        AccessRow("POST", "/v1/sites/{site}/shared-position", strollers, .building),
        AccessRow("PUT", "/v1/sites/{site}/shared-position", strollers, .building),
        AccessRow("DELETE", "/v1/sites/{site}/shared-position", strollers, .building),
        // Who has the secret of a link sees what strangers may see.
        AccessRow("GET", "/v1/sites/{site}/shared-positions/{secret}", strollers, .building),
        // A person's own device, and editors any; the handler decides.
        AccessRow("POST", "/v1/sites/{site}/devices/{id}/pairing-code", visitors, .building),
    ]

    /// Who is paired with a device sees where it is: the handler asks site-editor in the caller's
    /// name.
    static let paired: [AccessRow] = [
        AccessRow("GET", "/v1/sites/{site}/pairings/{id}/position", strollers, .building)
    ]
}
