import EventLog
import ServiceHost
import ServiceRuntime

extension Command {
    /// Makes, lists, checks and restores backups.
    public static let backup = Command(
        name: "backup", summary: "make, list, check and restore backups",
        help: """
            whereabouts backup make [--lasting] [--scans]
            whereabouts backup list
            whereabouts backup check [NAME]
            whereabouts backup restore NAME [--check] [--shorter-retention] [--clock-is-right]
                                            [--other-secret]
            whereabouts backup nightly
            whereabouts backup keep

              make       make a backup while the services run
              --lasting  leave out what has a retention: scans, positions, visits, dead letters
              --scans    keep scans too that were located already
              list       print all backups, the oldest first
              check      read a backup, or all, and the erasures beside them, as a restore would.
                         One that is being made or was interrupted is named and left out; one
                         that has lost its manifest's sum is damaged
              restore    restore a backup into an empty database and an empty log of either kind.
                         The services must not run. An interrupted restore goes on
              --check    go through the whole backup without writing
              --shorter-retention
                         drop what the settings here keep for a shorter time than those of
                         the backup did; without it, such a restore is refused
              --clock-is-right
                         restore a backup whose time is ahead of the clock here, because the clock
                         of the machine that made it was ahead
              --other-secret
                         restore although the identity keys of enrolled devices can't be opened,
                         because the WHEREABOUTS_SERVICE_SECRET of the backup is lost
              nightly    make a backup, once a week a lasting one and a check, and remove old ones:
                         the whole ones of the last seven nights, with those that you made in
                         them, and the lasting ones of four stay
              keep       do that every night, at WHEREABOUTS_BACKUP_HOUR

            Needs WHEREABOUTS_BACKUPS, a folder or a bucket, and the same settings as the services;
            DATABASE_URL is that of the database's owner. See docs/operation/back-up.md.
            """,
        run: { try await backup($0) })

    private static func backup(_ invocation: Invocation) async throws {
        let reader = try ArgumentReader(
            invocation.arguments, options: [],
            flags: Set(flags.values.flatMap(\.self)))
        let words = reader.positional
        guard let word = words.first, let mostWords = mostWords[word], words.count <= mostWords
        else {
            throw UsageFault(
                "backup takes one of \(mostWords.keys.sorted().joined(separator: ", "))")
        }
        let allowed = flags[word] ?? []
        for flag in flags.values.flatMap(\.self) where reader.has(flag) {
            guard allowed.contains(flag) else {
                throw UsageFault("backup \(word) takes no \(flag)")
            }
        }
        ProcessMemory.giveBackLargeBuffers()
        let work = try BackupWork(invocation)
        do {
            try await work.run(word, name: words.dropFirst().first, reader)
        } catch {
            await work.host.log.close()
            throw error
        }
        await work.host.log.close()
    }

    /// The words, and how many arguments each takes with itself.
    private static let mostWords = [
        "make": 1, "list": 1, "check": 2, "restore": 2, "nightly": 1, "keep": 1,
    ]

    private static let flags = [
        "make": ["--lasting", "--scans"],
        "restore": ["--check", "--shorter-retention", "--clock-is-right", "--other-secret"],
    ]
}
