extension Command {
    /// All commands of the program, in the order of its overview.
    public static let all: [Command] = [
        serve, token, importFile, export, replay, simulate, route, accuracy, relocate, rebuild,
        skip, deadLetters, check, draw, sign, databaseRoles, topics, describe, publish, versions,
        restore, outage, positioner, surveys, erase, doctor,
        upgrade, backup, reconcile,
    ]
}
