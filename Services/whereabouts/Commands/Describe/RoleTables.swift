import Access
import Site

/// The table of roles, and the table of operations with the roles that may call them.
enum RoleTables {
    static var text: String {
        let roles = Role.allCases.filter { $0 != .service }.map { role in
            let (whom, may) = role.words
            return ["`\(role.rawValue)`", whom, may, sees(role), end(of: role)]
        }
        let operations = AccessTable.rows.map { row in
            [
                "`\(row.operation.method) \(row.operation.pattern)`", row.scope.rawValue,
                row.roles.roles.map(\.rawValue).joined(separator: ", "),
            ]
        }
        let tasks = DraftTask.allCases.map { task in
            [task.words, task.roles.roles.map(\.rawValue).joined(separator: ", ")]
        }
        return """

            \(DescribedTable.markdown(["role", "for", "may", "sees", "ends after"], roles))

            The column `sees` is about rooms, floors, the directory and timetables that are not for
            everybody: [visibility.md](visibility.md).

            ## Who may do what with a draft

            A role counts here only for the complete site. Who may do one of these reads the draft,
            as far as it is not hidden from them.

            \(DescribedTable.markdown(["task", "roles"], tasks))

            ## Who may call what

            The column `reach` shows what a caller's role has to cover. `site`: the complete site.
            `building`: the building of the site that the request names. `own-device`: the site; a
            device or a scanner is restricted to itself. `none`: the request names no site.

            \(DescribedTable.markdown(["operation", "reach", "roles"], operations))

            """
    }

    private static func sees(_ role: Role) -> String {
        switch role.reader {
        case .stranger: "what is public"
        case .staff: "also the staff's"
        case .editor: "everything"
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
