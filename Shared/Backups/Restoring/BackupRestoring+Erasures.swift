import Events
import ServiceHost
import Wire

extension BackupRestoring {
    /// The most missing erasures that a message names.
    private static let mostNamed = 3

    /// Reads the erasures beside the backups.
    ///
    /// - Throws: `BackupFault` where one was changed or is missing.
    func allErasures() async throws -> [DeviceErased] {
        // They are asked for first: what they call copied must lie there.
        let expected = await expectedErasures()
        let found = try await erasures.all()
        if let expected {
            let lost = Set(expected.map(\.id)).subtracting(found.map(\.id)).map(\.description)
            guard lost.isEmpty else { throw Self.fault(ofLost: lost.sorted()) }
        } else if let checked = try await files.place.lastBackup(at: host.now)?.erasures,
            found.count < checked
        {
            throw BackupFault(
                "\(checked) erasures lay beside the backups at their last check, and "
                    + "\(found.count) do now: bring the folder erasures from the place of the "
                    + "backups. If the rest is lost for good, remove last-backup.json")
        }
        return found
    }

    /// The ones that the tables call copied; nil where there are no tables, or they can't be asked.
    private func expectedErasures() async -> [DeviceErased]? {
        do { return try await copied() } catch {
            note("The tables can't be asked which erasures must lie beside the backups: \(error)")
            return nil
        }
    }

    private static func fault(ofLost lost: [String]) -> BackupFault {
        let rest = lost.count - mostNamed
        let names = lost.prefix(mostNamed).joined(separator: ", ")
        return BackupFault(
            "the files of erasures are missing: \(names)"
                + (rest > 0 ? " and \(rest) more" : "")
                + ". `whereabouts backup nightly` writes them again from the tables")
    }
}
