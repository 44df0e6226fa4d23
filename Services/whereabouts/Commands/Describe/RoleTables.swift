import Access

/// The table of roles, and the table of operations with the roles that may call them.
enum RoleTables {
    static var text: String {
        let roles = Role.allCases.filter { $0 != .service }.map { role in
            let (whom, may) = words(role)
            return ["`\(role.rawValue)`", whom, may, end(of: role)]
        }
        let operations = AccessTable.rows.map { row in
            [
                "`\(row.operation.method) \(row.operation.pattern)`", row.scope.rawValue,
                row.roles.roles.map(\.rawValue).joined(separator: ", "),
            ]
        }
        return """

            \(DescribedTable.markdown(["role", "for", "may", "ends after"], roles))

            ## Who may call what

            The column `reach` shows what a caller's role has to cover. `site`: the complete site.
            `building`: the building of the site that the request names. `own-device`: the site; a
            device or a scanner is restricted to itself. `none`: the request names no site.

            \(DescribedTable.markdown(["operation", "reach", "roles"], operations))

            """
    }

    /// The people or programs that the role is for, and the things they may do.
    private static func words(_ role: Role) -> (String, String) {
        switch role {
        case .anonymous:
            (
                "a visitor of a site in `WHEREABOUTS_OPEN_SITES`, without an account",
                "find rooms and ways on the map"
            )
        case .locateOnly:
            ("an app that only wants to know where it is", "ask where a scan was made")
        case .device:
            ("a phone or a tag", "send its own scans, see its own positions, find ways")
        case .scanner: ("a box on the wall", "send scans under its own name")
        case .gateway:
            (
                "a program that sends the scans of many devices",
                "send scans of any device of its site"
            )
        case .visitor: ("a visitor's app", "find rooms and ways, ask where a scan was made")
        case .contributor:
            ("a visitor who may also suggest changes (planned)", "today the same as a visitor")
        case .aggregate: ("a dashboard of totals", "see the map, and never a single device")
        case .analyst:
            ("a person who studies where devices are", "read positions, visits and surveys")
        case .surveyor:
            ("a person who makes the radio map", "send surveys, report outages, withdraw surveys")
        case .tester:
            (
                "a person who tries a version before it is published",
                "do all that a visitor may, also at the testers' site with the draft"
            )
        case .administratorOfSite:
            (
                "a person who looks after one site",
                "edit and publish it, manage its people and tokens"
            )
        case .administrator: ("a person who looks after all sites", "do everything at all sites")
        case .service: ("services of one installation", "call each other")
        }
    }

    /// The usual time until a role's token ends. The role anonymous has no tokens; its sessions
    /// end after 12 hours.
    private static func end(of role: Role) -> String {
        if role == .anonymous { return "12 hours" }
        let days = Issuing.lifetime(of: role).usualDays
        return switch days {
        case 365: "1 year"
        case let days where days % 365 == 0: "\(days / 365) years"
        default: "\(days) days"
        }
    }
}
