import ServiceHost
public import Wire

/// The outcome of reading backups as a restore would: each file of them, and the erasures beside
/// them.
public struct BackupCheck: Sendable {
    /// The backups that are well.
    public private(set) var checked: [BackupManifest] = []
    /// Backups that are being made, or whose making was interrupted. They are no damage, and the
    /// next backup removes what was interrupted.
    public private(set) var unfinished: [String] = []
    /// Those of them that this release or these settings can't restore.
    public private(set) var unfit: [String] = []
    /// How many erasures lie beside the backups; nil where one of them is damaged or missing.
    public private(set) var erasures: Int?
    private var faults: [String] = []

    /// All that would stop a restore; nil if all is well.
    public var damage: String? { faults.isEmpty ? nil : faults.joined(separator: "; ") }

    /// Whether backups were read, and are well. Where none is whole, nothing was checked.
    public var isGood: Bool { faults.isEmpty && !checked.isEmpty }

    /// A damaged backup does not keep the others from being checked.
    ///
    /// - Parameters:
    ///   - name: the one backup to check; nil for all.
    ///   - note: gets a line for each backup, except for damaged ones.
    init(
        of name: String?, _ restoring: BackupRestoring, note: (String) -> Void
    ) async throws {
        do { erasures = try await restoring.allErasures().count } catch let fault as BackupFault {
            faults.append(fault.description)
        }
        let backups = try await restoring.files.list().map(\.name)
        for backup in backups where name == nil || backup == name {
            try await read(backup, restoring, isNewest: backup == backups.last, note: note)
        }
    }

    private mutating func read(
        _ backup: String, _ restoring: BackupRestoring, isNewest: Bool, note: (String) -> Void,
        isAgain: Bool = false
    ) async throws {
        do {
            let manifest = try await restoring.files.manifest(of: backup)
            checked.append(try await restoring.readAll(manifest).manifest)
            do { try restoring.requireFit(of: manifest) } catch {
                unfit.append(backup)
                return note("\(backup) is whole, but can't be restored here: \(error)")
            }
            note("\(backup) is checked")
        } catch let fault as BackupFault {
            if try await isUnfinished(backup, restoring, isNewest: isNewest) {
                unfinished.append(backup)
                note("\(backup) is being made or was interrupted, and is left out")
            } else if isAgain {
                faults.append(fault.description)
            } else {
                // It may have been finished or removed while it was read.
                try await read(
                    backup, restoring, isNewest: isNewest, note: note, isAgain: true)
            }
        }
    }

    /// Whether the backup never was whole, or is being removed. One that has lost its manifest
    /// alone is damaged, and only the newest one may be about to get it.
    private func isUnfinished(
        _ backup: String, _ restoring: BackupRestoring, isNewest: Bool
    ) async throws -> Bool {
        switch try await restoring.files.ending(of: backup) {
        case .none: true
        case .sumAlone where isNewest:
            await BackupTurn.isTaken(restoring.host.requiredDatabase())
        case .sumAlone, .manifest: false
        }
    }
}
