import Site

/// Every path, the service that answers it, and the roles that may call it.
///
/// The server looks up each request here, and serves no route that is missing here. `whereabouts
/// describe` prints from it ARCHITECTURE's table of paths, the proxy's routes and docs/roles.md.
public enum AccessTable {
    /// All rows, sorted by path.
    public static let rows: [AccessRow] =
        (operations
        + owned(by: .siteEditor, pages + sites + places + trust + people + scanSwitch + sharing)
        + owned(by: .scanIngest, sending)
        + owned(by: .fingerprintBuilder, radio)
        + owned(by: .locator, whereabouts + paired)
        + owned(by: .router, ways)
        + owned(by: .timetableFetcher, rooms))
        .sorted {
            ($0.operation.pattern, $0.operation.method)
                < ($1.operation.pattern, $1.operation.method)
        }

    /// The row of the operation; nil where no service answers it.
    public static func row(_ operation: AccessOperation) -> AccessRow? { byOperation[operation] }

    private static func owned(by owner: ServiceName, _ rows: [AccessRow]) -> [AccessRow] {
        rows.map { row in
            var row = row
            row.owner = owner
            return row
        }
    }

    private static let byOperation = Dictionary(
        rows.map { ($0.operation, $0) }, uniquingKeysWith: { first, _ in first })

    // MARK: Groups of roles

    /// Roles that edit a site.
    static let editors = RoleSet(.administratorOfSite, .administrator)
    static let surveyors = editors.union(RoleSet(.surveyor))
    /// Roles that read the radio map's figures.
    static let mapMakers = surveyors.union(RoleSet(.analyst))
    /// Roles that find the way. They all see rooms, since a map without rooms is useless.
    static let visitors = mapMakers.union(
        RoleSet(.device, .visitor, .contributor, .aggregate, .tester))
    static let strollers = visitors.union(RoleSet(.anonymous))
    /// Roles that see where devices are; a device sees only itself.
    static let watchers = mapMakers.union(RoleSet(.device))

    /// Roles that speak for one device, and make scans with it.
    static let scanners = RoleSet(.device, .scanner)

    // MARK: Rows

    /// Paths that every process answers itself.
    private static let operations: [AccessRow] = ["/healthz", "/readyz", "/metrics"].map(open)

    private static let pages: [AccessRow] = [
        "/", "/app/{file}", "/app/languages/{file}", "/app/staff/{file}",
        "/app/staff/languages/{file}", "/s/{site}", "/s/{site}/map", "/staff", "/staff/{site}",
        "/positions", "/page.css", "/page.js", "/reference", "/reference/openapi.json",
        "/sign-in", "/join", "/account", "/people.js",
    ].map(open)

    /// A path that anybody may call without a token.
    private static func open(_ path: String) -> AccessRow {
        AccessRow("GET", path, RoleSet(.anonymous), .none)
    }

    /// Paths about sites and their drafts, publications and administration.
    private static let sites: [AccessRow] = [
        AccessRow("GET", "/v1/sites", strollers, .building),
        AccessRow("GET", "/v1/sites/{site}", visitors, .building),
        AccessRow("PUT", "/v1/sites/{site}", editors, .site),
        AccessRow("DELETE", "/v1/sites/{site}", editors, .site),
        AccessRow("PATCH", "/v1/sites/{site}", editors, .site),
        AccessRow("GET", "/v1/sites/{site}/search", strollers, .building),
        AccessRow("GET", "/v1/sites/{site}/map", strollers, .building),
        AccessRow("GET", "/v1/sites/{site}/map/overview", strollers, .building),
        AccessRow("GET", "/v1/sites/{site}/map/parts/{zoom}/{x}/{y}", strollers, .building),
        AccessRow("GET", "/v1/sites/{site}/floors/{floor}/map", strollers, .building),
        AccessRow("GET", "/v1/sites/{site}/floors/{floor}/map/part", strollers, .building),
        AccessRow("GET", "/v1/sites/{site}/current-building", strollers, .building),
        AccessRow("GET", "/v1/sites/{site}/locations/{id}/poster.svg", surveyors, .building),
        AccessRow("GET", "/v1/sites/{site}/locations/{id}/poster.pdf", surveyors, .building),
        AccessRow("GET", "/v1/sites/{site}/rooms/{id}/poster.svg", surveyors, .building),
        AccessRow("GET", "/v1/sites/{site}/rooms/{id}/poster.pdf", surveyors, .building),
        AccessRow("GET", "/v1/sites/{site}/floors/{floor}/posters.pdf", surveyors, .building),
        AccessRow("GET", "/v1/sites/{site}/versions", visitors, .building),
        AccessRow(
            "GET", "/v1/sites/{site}/versions/{version}", visitors.union(RoleSet(.service)),
            .building),
        AccessRow("GET", "/v1/sites/{site}/versions/{version}/compare/{other}", editors, .site),
        AccessRow("POST", "/v1/sites/{site}/versions/{version}/restore", editors, .site),
        AccessRow("POST", "/v1/sites/{site}/publish", editors, .site),
        AccessRow("POST", "/v1/sites/{site}/undo", editors, .site),
        // The handlers ask `DraftRights` what a surveyor may edit, and what everybody may undo.
        AccessRow("GET", "/v1/sites/{site}/draft/edits", surveyors, .site),
        AccessRow("POST", "/v1/sites/{site}/draft/edits", surveyors, .site),
        AccessRow("GET", "/v1/sites/{site}/draft/edits/stream", surveyors, .site),
        AccessRow("POST", "/v1/sites/{site}/draft/undo", surveyors, .site),
        AccessRow("POST", "/v1/sites/{site}/imports", editors, .site),
        AccessRow("GET", "/v1/sites/{site}/export", editors, .site),
        AccessRow("GET", "/v1/sites/{site}/review", editors, .site),
        AccessRow("POST", "/v1/media", editors, .site),
        AccessRow("GET", "/v1/media/{hash}", strollers, .building),
        AccessRow("POST", "/v1/media/{hash}/picture", editors, .site),
        AccessRow("GET", "/v1/outages", strollers, .building),
        AccessRow("POST", "/v1/outages", surveyors, .site),
        AccessRow("DELETE", "/v1/outages/{id}", surveyors, .site),
        AccessRow("GET", "/v1/sites/{site}/barriers", strollers, .building),
        AccessRow("POST", "/v1/sites/{site}/barriers", strollers, .building),
        AccessRow("POST", "/v1/sites/{site}/barriers/{id}/confirm", surveyors, .site),
        AccessRow("POST", "/v1/sites/{site}/barriers/{id}/deny", strollers, .building),
        AccessRow("DELETE", "/v1/sites/{site}/barriers/{id}", surveyors, .site),
    ]

    /// Paths to the rooms, doors and all other kinds of record in a site.
    private static let places: [AccessRow] =
        RecordKind.all.flatMap { type -> [AccessRow] in
            let readers = type.kind.isOnMap ? strollers : visitors
            let list = "/v1/sites/{site}/\(type.kind.path)"
            let one = "\(list)/{id}"
            // A surveyor edits rooms only while they are proposed: `DraftRights`.
            let writers = surveyed.contains(type.kind.name) ? surveyors : editors
            return [
                AccessRow("GET", list, readers, .building),
                AccessRow("GET", one, readers, .building),
                AccessRow("PUT", one, writers, .site), AccessRow("PATCH", one, writers, .site),
                AccessRow("DELETE", one, writers, .site),
            ]
        } + [
            AccessRow("POST", "/v1/sites/{site}/link-locations", editors, .site),
            AccessRow("POST", "/v1/sites/{site}/locations/{id}/link/{other}", editors, .site),
            AccessRow("POST", "/v1/sites/{site}/locations/{id}/clear", surveyors, .site),
            AccessRow("POST", "/v1/sites/{site}/rooms/{id}/clear", editors, .site),
            AccessRow("POST", "/v1/sites/{site}/floors/{id}/clear", editors, .site),
        ]

    /// The kinds of record that surveyors may edit, too.
    private static let surveyed: Set = [LocationRecord.kind.name, RoomRecord.kind.name]

    /// Paths about surveys, and the radio maps that are made from them.
    private static let radio: [AccessRow] = [
        AccessRow("GET", "/v1/sites/{site}/surveys", mapMakers, .site),
        AccessRow("DELETE", "/v1/sites/{site}/surveys", editors, .site),
        AccessRow("DELETE", "/v1/sites/{site}/surveys/{id}", surveyors, .site),
        AccessRow("GET", "/v1/sites/{site}/survey-reviews", mapMakers, .site),
        AccessRow("POST", "/v1/sites/{site}/survey-reviews", editors, .site),
        AccessRow(
            "GET", "/v1/radio-maps/{hash}", mapMakers.union(RoleSet(.service)), .site),
        AccessRow(
            "GET", "/v1/sites/{site}/radio-map", mapMakers.union(RoleSet(.service)), .building),
        AccessRow(
            "GET", "/v1/sites/{site}/access-points", mapMakers.union(RoleSet(.service)), .site),
        AccessRow("GET", "/v1/sites/{site}/access-points/{id}", mapMakers, .site),
        AccessRow("GET", "/v1/sites/{site}/measurements", mapMakers, .site),
        AccessRow("GET", "/v1/sites/{site}/measurements/{id}", mapMakers, .site),
        AccessRow("GET", "/v1/sites/{site}/fingerprints", mapMakers, .site),
        AccessRow("GET", "/v1/sites/{site}/survey-quality", mapMakers, .building),
        AccessRow("GET", "/v1/sites/{site}/survey-coach", mapMakers, .building),
        AccessRow("GET", "/v1/sites/{site}/node-calibrations", mapMakers, .site),
        AccessRow("GET", "/v1/sites/{site}/taps", mapMakers, .site),
        AccessRow("POST", "/v1/sites/{site}/taps/{id}/survey", surveyors, .site),
        AccessRow("GET", "/v1/sites/{site}/positioner", mapMakers, .site),
        AccessRow("GET", "/v1/sites/{site}/positioner/comparison", mapMakers, .site),
        AccessRow("PUT", "/v1/sites/{site}/positioner", editors, .site),
        AccessRow("POST", "/v1/sites/{site}/positioner/promote", editors, .site),
        AccessRow("POST", "/v1/sites/{site}/positioner/back", editors, .site),
        AccessRow("GET", "/v1/kept-surveys", RoleSet(.service), .site),
        AccessRow("GET", "/v1/survey-erasures/{id}", RoleSet(.service), .site),
        AccessRow("GET", "/v1/magnetic-routes", mapMakers, .site),
        AccessRow("POST", "/v1/magnetic-routes", surveyors, .site),
        AccessRow("GET", "/v1/magnetic-routes/{id}", mapMakers, .site),
        AccessRow("DELETE", "/v1/magnetic-routes/{id}", surveyors, .site),
        AccessRow("POST", "/v1/magnetic-routes/{id}/validations", surveyors, .site),
    ]

    /// Paths to send scans and surveys.
    private static let sending: [AccessRow] = [
        // A device sends only the survey that a request asks it for; the intake checks this.
        AccessRow("POST", "/v1/surveys", surveyors.union(scanners), .building),
        AccessRow(
            "POST", "/v1/scans",
            surveyors.union(RoleSet(.device, .scanner, .gateway)), .ownDevice),
        AccessRow(
            "POST", "/v1/sightings",
            surveyors.union(RoleSet(.device, .scanner, .gateway)), .ownDevice),
        // "I am here": people and their devices say it, and boxes on walls don't.
        AccessRow(
            "POST", "/v1/taps",
            surveyors.union(RoleSet(.device, .visitor, .contributor, .tester, .anonymous)),
            .building),
        AccessRow(
            "GET", "/v1/limits",
            strollers.union(RoleSet(.locateOnly, .scanner, .gateway)), .building),
        AccessRow("GET", "/v1/scanners/{scanner}/requests", scanners, .ownDevice),
        // Who asked may wait; the handler compares the callers.
        AccessRow("GET", "/v1/scan-requests/{id}/result", strollers, .building),
        AccessRow("POST", "/v1/scan-requests/{id}/result", scanners, .ownDevice),
        AccessRow("POST", "/v1/scan-requests/{id}/handed-result", RoleSet(.service), .site),
        // FIND3's path. As above: the intake checks who sends surveys.
        AccessRow(
            "POST", "/data", surveyors.union(RoleSet(.device, .scanner, .gateway)), .ownDevice),
        // Meraki's cloud has no token of ours; the handler compares the secret in the body.
        AccessRow("GET", "/v1/meraki/{site}", RoleSet(.anonymous), .none),
        AccessRow("POST", "/v1/meraki/{site}", RoleSet(.anonymous), .none),
    ]

    /// Paths by which scanners are asked for scans, paired and enrolled.
    private static let scanSwitch: [AccessRow] = [
        // Who may ask which scanner is decided with the request: module ScanSwitch.
        AccessRow("GET", "/v1/sites/{site}/scan-requests", strollers, .building),
        AccessRow("POST", "/v1/sites/{site}/scan-requests", strollers, .building),
        AccessRow("GET", "/v1/sites/{site}/scan-requests/{id}", strollers, .building),
        AccessRow("PATCH", "/v1/sites/{site}/scan-requests/{id}", strollers, .building),
        AccessRow("DELETE", "/v1/sites/{site}/scan-requests/{id}", strollers, .building),
        AccessRow("POST", "/v1/sites/{site}/enrolment-codes", editors, .site),
        AccessRow("POST", "/v1/enrolments", RoleSet(.anonymous), .none),
        AccessRow("GET", "/v1/sites/{site}/pairings", strollers, .building),
        AccessRow("POST", "/v1/sites/{site}/pairings", strollers, .building),
        AccessRow("DELETE", "/v1/sites/{site}/pairings/{id}", strollers, .building),
        AccessRow("POST", "/v1/scanners/{scanner}/pairing-code", scanners, .ownDevice),
        AccessRow("GET", "/v1/scanners/{scanner}/pairing", scanners, .ownDevice),
        AccessRow("DELETE", "/v1/scanners/{scanner}/pairing", scanners, .ownDevice),
        AccessRow("POST", "/v1/sites/{site}/scanners/{scanner}/printed-code", editors, .site),
        AccessRow("PUT", "/v1/scanners/{scanner}/health", scanners, .ownDevice),
        AccessRow("GET", "/v1/scanners/{scanner}/settings", scanners, .ownDevice),
        AccessRow("GET", "/v1/sites/{site}/enrolled-scanners", surveyors, .site),
        AccessRow("PATCH", "/v1/sites/{site}/enrolled-scanners/{scanner}", editors, .site),
    ]

    /// Paths about positions and visits of devices.
    private static let whereabouts: [AccessRow] = [
        AccessRow(
            "POST", "/v1/locate",
            watchers.union(
                RoleSet(.anonymous, .locateOnly, .visitor, .contributor, .tester, .service)),
            .building),
        // The token stands in the address, which others may log. So no role that sees more may.
        AccessRow("POST", "/v1/geolocate", RoleSet(.locateOnly), .building),
        AccessRow("GET", "/v1/positions", watchers, .ownDevice),
        AccessRow("GET", "/v1/positions/latest", watchers, .ownDevice),
        // The stream is not filtered by building, so a grant for some buildings is not enough. A
        // device sees only its own positions.
        AccessRow("GET", "/v1/positions/stream", watchers, .site),
        AccessRow("GET", "/v1/positions/{id}", watchers, .ownDevice),
        AccessRow("GET", "/v1/positions/{id}/explain", watchers, .ownDevice),
        AccessRow("GET", "/v1/positions-beside", watchers, .ownDevice),
        AccessRow("GET", "/v1/positions-smoothed", watchers, .ownDevice),
        AccessRow("GET", "/v1/visits", watchers, .ownDevice),
        AccessRow("GET", "/v1/group-visits", watchers, .ownDevice),
        // As the stream of positions.
        AccessRow("GET", "/v1/group-visits/stream", watchers, .site),
        AccessRow("GET", "/v1/sites/{site}/beacon-batteries", surveyors, .site),
        AccessRow("GET", "/v1/sites/{site}/beacon-batteries/stream", editors, .site),
        AccessRow("GET", "/v1/sites/{site}/replay", watchers, .ownDevice),
        AccessRow("GET", "/v1/sites/{site}/room-hours", mapMakers, .building),
        AccessRow("GET", "/v1/sites/{site}/visit-summary", mapMakers, .building),
        AccessRow("GET", "/v1/counts", mapMakers.union(RoleSet(.aggregate)), .building),
        AccessRow("GET", "/v1/erasures/{id}", RoleSet(.service), .site),
        AccessRow("GET", "/v1/kept-positions", RoleSet(.service), .site),
    ]

    /// Timetables and free computers, and their sources.
    private static let rooms: [AccessRow] = [
        AccessRow("GET", "/v1/sites/{site}/rooms/{id}/timetable", strollers, .building),
        AccessRow("GET", "/v1/sites/{site}/rooms/{id}/availability", strollers, .building),
        AccessRow("GET", "/v1/sites/{site}/rooms/free", strollers, .building),
        AccessRow("GET", "/v1/sites/{site}/feeds", editors, .site),
        AccessRow("GET", "/v1/sites/{site}/feeds/{id}", editors, .site),
        AccessRow("PUT", "/v1/sites/{site}/feeds/{id}", editors, .site),
        AccessRow("DELETE", "/v1/sites/{site}/feeds/{id}", editors, .site),
        AccessRow("POST", "/v1/sites/{site}/feeds/{id}/fetch", editors, .site),
        AccessRow("GET", "/v1/sites/{site}/feeds/{id}/report", editors, .site),
    ]

    private static let ways: [AccessRow] = [
        AccessRow("POST", "/v1/routes", strollers, .building),
        AccessRow("POST", "/v1/travel-times", strollers, .building),
        AccessRow("POST", "/v1/guidance", strollers, .building),
        AccessRow("GET", "/v1/sites/{site}/network", strollers, .building),
    ]

    /// Paths about tokens, accounts and their roles.
    private static let trust: [AccessRow] = [
        AccessRow("GET", "/v1/tokens", editors, .site),
        AccessRow("POST", "/v1/tokens", editors, .site),
        AccessRow("DELETE", "/v1/tokens/{id}", editors, .site),
        AccessRow("GET", "/v1/accounts", editors, .site),
        AccessRow("PATCH", "/v1/accounts/{id}", editors, .site),
        AccessRow("DELETE", "/v1/accounts/{id}", editors, .site),
        AccessRow("DELETE", "/v1/accounts/{id}/sessions", editors, .site),
        AccessRow("GET", "/v1/invitations", editors, .site),
        AccessRow("POST", "/v1/invitations", editors, .site),
        AccessRow("DELETE", "/v1/invitations/{id}", editors, .site),
        // The doctor speaks of the complete installation. Letters that name no site, or more than
        // one, are for administrators of all sites, too: the handlers tell them apart.
        AccessRow("GET", "/v1/doctor", RoleSet(.administrator), .site),
        AccessRow("GET", "/v1/services", editors, .site),
        AccessRow("GET", "/v1/dead-letters", editors, .site),
        AccessRow("GET", "/v1/dead-letters/{topic}/{partition}/{offset}", editors, .site),
        AccessRow("POST", "/v1/dead-letters/{topic}/{partition}/{offset}/apply", editors, .site),
        AccessRow("POST", "/v1/token-uses", RoleSet(.service), .site),
        AccessRow("GET", "/v1/day-keys", RoleSet(.service), .site),
        // People enrol their own devices; the handler tells them from programs.
        AccessRow("GET", "/v1/sites/{site}/devices", visitors, .building),
        AccessRow("POST", "/v1/sites/{site}/devices", visitors, .building),
        AccessRow("GET", "/v1/sites/{site}/devices/{id}", visitors, .building),
        AccessRow("PATCH", "/v1/sites/{site}/devices/{id}", visitors, .building),
        AccessRow(
            "DELETE", "/v1/sites/{site}/devices/{id}", visitors.union(RoleSet(.scanner)),
            .building),
        AccessRow(
            "GET", "/v1/sites/{site}/devices/{id}/report", visitors.union(RoleSet(.scanner)),
            .building),
        // Who knows the random id may ask. A device's token has ended with the erasure.
        AccessRow("GET", "/v1/sites/{site}/erasures/{id}", RoleSet(.anonymous), .none),
    ]

    /// Paths to sign in. A password, the secret in a link, or a sign-in provider identifies the
    /// caller. A path about the caller's own account asks for a session itself.
    private static let people: [AccessRow] = [
        ("GET", "/v1/session"), ("POST", "/v1/session"), ("DELETE", "/v1/session"),
        ("POST", "/v1/session/anonymous"), ("DELETE", "/v1/session/everywhere"),
        ("POST", "/v1/session/password"), ("POST", "/v1/accounts"),
        ("GET", "/v1/sign-in/provider"), ("GET", "/v1/sign-in/provider/return"),
        ("GET", "/v1/sign-in/proxy"),
    ].map { AccessRow($0.0, $0.1, RoleSet(.anonymous), .none) }
}
