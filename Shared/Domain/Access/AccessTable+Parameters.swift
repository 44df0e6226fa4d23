import Site

extension AccessTable {
    /// The query parameters of a GET operation, sorted by name; nil where any may come.
    ///
    /// A request with another parameter is refused. Otherwise a misspelt filter would answer with
    /// everything, and look right.
    public static func parameters(of operation: AccessOperation) -> [String]? {
        guard operation.method == "GET", takesEachParameterOnce(operation) else { return nil }
        return byPattern[operation.pattern] ?? []
    }

    /// Whether a request with a parameter twice is refused. Only the first would count, so that
    /// `DELETE ...?author=a&author=b` would withdraw less than it says.
    public static func takesEachParameterOnce(_ operation: AccessOperation) -> Bool {
        operation.pattern.hasPrefix("/v1/") && !addresses.contains(operation.pattern)
    }

    /// Addresses to which others lead browsers and programs. They may add parameters of their own.
    private static let addresses: Set<String> = [
        "/v1/sign-in/provider", "/v1/sign-in/provider/return", "/v1/sign-in/proxy",
        "/v1/meraki/{site}", "/v1/media/{hash}",
    ]

    private static let byPattern = named.merging(ofRecords) { first, _ in first }
        .mapValues { $0.split(separator: " ").map(String.init).sorted() }

    /// Those of the paths to all kinds of record.
    private static let ofRecords: [String: String] = Dictionary(
        uniqueKeysWithValues: RecordKind.all.flatMap { type -> [(String, String)] in
            let form = unplaced.contains(type.kind.path) ? "" : " coordinates"
            let list = "/v1/sites/{site}/\(type.kind.path)"
            return [
                (list, "version floor building room location kind name after limit" + form),
                ("\(list)/{id}", "version" + form),
            ]
        })

    /// The kinds of record that have no coordinates.
    private static let unplaced: Set<String> = ["contents", "directory"]

    /// By path; those that are not listed have none.
    private static let named = [
        "/v1/accounts": "after limit",
        "/v1/counts": "from until zone site after limit",
        "/v1/dead-letters": "site after limit",
        "/v1/group-visits": "from until group site device after limit",
        "/v1/group-visits/stream": "since site device",
        "/v1/kept-positions": "site device",
        "/v1/kept-surveys": "site device",
        "/v1/magnetic-routes": "site after limit",
        "/v1/magnetic-routes/{id}": "site",
        "/v1/outages": "site connection active after limit",
        "/v1/positions": "from until site device zone after limit format",
        "/v1/positions-beside": "from until site device positioner after limit",
        "/v1/positions-smoothed": "from until site device zone after limit format",
        "/v1/positions/latest": "site device after limit",
        "/v1/positions/stream": "since site device",
        "/v1/positions/{id}/explain": "positioner",
        "/v1/scan-requests/{id}/result": "wait",
        "/v1/scanners/{scanner}/requests": "after wait",
        "/v1/sites/{site}": "version",
        "/v1/sites/{site}/access-points": "after limit",
        "/v1/sites/{site}/beacon-batteries": "after limit",
        "/v1/sites/{site}/beacon-batteries/stream": "since",
        "/v1/sites/{site}/current-building": "latitude longitude before state",
        "/v1/sites/{site}/devices": "after limit",
        "/v1/sites/{site}/draft/edits": "after limit",
        "/v1/sites/{site}/draft/edits/stream": "after",
        "/v1/sites/{site}/enrolled-scanners": "after limit",
        "/v1/sites/{site}/export": "format version",
        "/v1/sites/{site}/fingerprints": "floor after limit",
        "/v1/sites/{site}/floors/{floor}/map": "version language width route around",
        "/v1/sites/{site}/floors/{floor}/map/part": "version language",
        "/v1/sites/{site}/floors/{floor}/posters.pdf": "language after limit",
        "/v1/sites/{site}/locations/{id}/poster.pdf": "language",
        "/v1/sites/{site}/locations/{id}/poster.svg": "language",
        "/v1/sites/{site}/map": "version language width route around",
        "/v1/sites/{site}/map/overview": "version language",
        "/v1/sites/{site}/map/parts/{zoom}/{x}/{y}": "version language",
        "/v1/sites/{site}/measurements": "accessPoint after limit",
        "/v1/sites/{site}/network": "building",
        "/v1/sites/{site}/node-calibrations": "after limit",
        "/v1/sites/{site}/pairings": "mine",
        "/v1/sites/{site}/radio-map": "version",
        "/v1/sites/{site}/replay": "from seconds floor device",
        "/v1/sites/{site}/review": "version",
        "/v1/sites/{site}/room-hours": "from until each floor room after limit",
        "/v1/sites/{site}/rooms/free": "from until near stepFree kind computers language",
        "/v1/sites/{site}/rooms/{id}/availability": "language",
        "/v1/sites/{site}/rooms/{id}/poster.pdf": "language",
        "/v1/sites/{site}/rooms/{id}/poster.svg": "language",
        "/v1/sites/{site}/rooms/{id}/timetable": "week language",
        "/v1/sites/{site}/search": "q language kind floor limit after",
        "/v1/sites/{site}/survey-coach": "floor count",
        "/v1/sites/{site}/survey-quality": "floor after limit",
        "/v1/sites/{site}/surveys": "author floor after limit",
        "/v1/sites/{site}/taps": "after limit",
        "/v1/sites/{site}/versions": "after limit",
        "/v1/sites/{site}/visit-summary": "from until kind after limit",
        "/v1/tokens": "site issuedBy after limit",
        "/v1/visits": "from until zone site device after limit format",
    ]
}
