import Events
public import Postgres
public import ServiceHost
import Storage
public import Wire

/// The work of a night: a backup, once a week a lasting one and a check of all, and the removal of
/// old ones. How it ended is in `last-backup.json`.
public struct NightlyBackup: Sendable {
    /// A night that failed goes on with what it has not done, and makes no second whole backup.
    private static let nightMicroseconds: Int64 = 20 * 3_600_000_000
    /// Somebody has this lock as long as a night's work goes on.
    private static let turn = "whereabouts backup night"

    /// The night's own work is done, but a backup is not what was backed up.
    public struct Damage: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    private let host: Host
    private let files: BackupFiles
    private let making: BackupMaking
    private let restoring: BackupRestoring
    private let catchUp: @Sendable () async throws -> Void
    private let note: @Sendable (String) -> Void

    /// - Parameter catchUp: writes the erasures that are not beside the backups yet.
    public init(
        _ host: Host, files: BackupFiles, making: BackupMaking, restoring: BackupRestoring,
        catchUp: @escaping @Sendable () async throws -> Void,
        note: @escaping @Sendable (String) -> Void
    ) {
        self.host = host
        self.files = files
        self.making = making
        self.restoring = restoring
        self.catchUp = catchUp
        self.note = note
    }

    /// Does the work, and returns the manifest of the whole backup; nil where the night has one
    /// already, and had failed after it. A failure is noted beside the backups too.
    ///
    /// - Throws: `Damage` where a backup is damaged. The report is then good, apart from its
    ///   `damage`.
    public func run() async throws -> BackupManifest? {
        let turn = host.requiredDatabase().sessionLock(Self.turn)
        do {
            // Without PostgreSQL nobody gets a lock, and this night has to note that it fails.
            if (try? await turn.tryAcquire()) == false {
                throw BackupFault("the work of a night is going on; wait until it is done")
            }
            let made = try await runAlone()
            await turn.release()
            return made
        } catch {
            await turn.release()
            throw error
        }
    }

    /// Whether somebody is at a night's work now.
    public static func isUnderWay(_ pool: PostgresPool) async throws -> Bool {
        try await SessionLock.isTaken(turn, pool)
    }

    private func runAlone() async throws -> BackupManifest? {
        let made: BackupManifest?
        let report: LastBackup?
        do {
            made = try await work(try await begin())
            report = try await finish(nil)
        } catch {
            // The first error is the one to show, even if the place does not take the note either.
            _ = try? await finish("\(error)")
            throw error
        }
        if let damage = report?.damage { throw Damage(description: damage) }
        return made
    }

    /// Notes that a night begins, or that a failed one goes on. Returns the report as it is then.
    private func begin() async throws -> LastBackup {
        var begun = try await last() ?? fresh
        if begun.isUnfinished {
            // The process of that night has died, and could not say so.
            (begun.isOK, begun.reason) = (false, "the work of a night was interrupted")
        }
        (begun.begunAt, begun.isUnfinished) = (try await beginning(after: begun), true)
        // There may be no room for the note yet.
        _ = try? await noteBegun(begun)
        return begun
    }

    private func noteBegun(_ begun: LastBackup) async throws {
        try await change(orBegin: begun) {
            ($0.isOK, $0.reason) = (begun.isOK, begun.reason)
            ($0.begunAt, $0.isUnfinished) = (begun.begunAt, true)
        }
    }

    /// When the night began whose work this is: now, or earlier where it failed and goes on.
    private func beginning(after report: LastBackup) async throws -> Timestamp {
        let now = Timestamp(milliseconds: host.now.milliseconds)
        guard !report.isOK else { return now }
        // Where no report can be read, the backups themselves show that there is one of this night.
        var begun = report.begunAt
        if begun == nil { begun = try await newest(since: Timestamp(milliseconds: 0))?.finishedAt }
        guard let begun, !begun.isAhead(of: now), now - begun < Self.nightMicroseconds else {
            return now
        }
        return begun
    }

    /// The newest whole backup that was finished since then.
    private func newest(since begun: Timestamp) async throws -> BackupManifest? {
        let now = host.now
        return try await files.list().compactMap(\.manifest)
            .filter {
                $0.kind == .whole && $0.finishedAt >= begun && !$0.finishedAt.isAhead(of: now)
            }.max { $0.finishedAt < $1.finishedAt }
    }

    /// - Parameter reason: why the night has failed; nil if it has not.
    private func finish(_ reason: String?) async throws -> LastBackup? {
        try await change(orBegin: fresh) {
            ($0.isOK, $0.reason) = (reason == nil, reason)
            ($0.isUnfinished, $0.finishedAt) = (false, host.now)
        }
    }

    /// The report of a night before which there was none.
    private var fresh: LastBackup { LastBackup(finishedAt: host.now, isOK: false, name: nil) }

    /// How the last work ended; nil where there was none.
    public func last() async throws -> LastBackup? {
        try await files.place.lastBackup(at: host.now)
    }

    /// Notes a whole backup that somebody made by hand.
    public func noteMade(_ manifest: BackupManifest) async throws {
        // Else the end of a night that was interrupted is the earlier one of the two.
        let isUnderWay = (try? await Self.isUnderWay(host.requiredDatabase())) ?? true
        try await change(orBegin: fresh) {
            ($0.isOK, $0.reason, $0.name) = (true, nil, manifest.name)
            if !isUnderWay { $0.isUnfinished = false }
            ($0.finishedAt, $0.goodAt) = (host.now, host.now)
        }
    }

    /// Checks backups, as a night does once a week and somebody may do by hand. If all are checked,
    /// the outcome is noted, and so the alarm begins or ends.
    ///
    /// - Parameter name: the one backup to check; nil for all.
    @discardableResult
    public func check(_ name: String? = nil) async throws -> BackupCheck {
        guard name == nil else { return try await BackupCheck(of: name, restoring, note: note) }
        let before = try await last()?.damage
        let check = try await BackupCheck(of: nil, restoring, note: note)
        try await change { report in
            // Another check has found it meanwhile, and maybe in what this one had read before.
            if check.damage == nil, report.damage != nil, report.damage != before { return }
            report.damage = check.damage
            // A check that misses some must not make them forgotten.
            if check.damage == nil { report.erasures = check.erasures }
            if check.isGood { report.checkedAt = host.now }
        }
        return check
    }

    /// Changes some fields of the report, and returns it. The other fields are not the caller's: a
    /// night, a backup by hand and a check by hand may go on at once.
    ///
    /// - Parameter fresh: the report where there is none yet; nil to write none then.
    @discardableResult
    private func change(
        orBegin fresh: LastBackup? = nil, _ change: (inout LastBackup) -> Void
    ) async throws -> LastBackup? {
        let lock = host.requiredDatabase().sessionLock("whereabouts backup report")
        // Without PostgreSQL there are no backups, and that has to be noted all the same.
        try? await lock.acquire()
        do {
            let report = (try await last() ?? fresh).map { before in
                var report = before
                change(&report)
                return report
            }
            if let report { try await files.place.write(LastBackup.file, report.json) }
            await lock.release()
            return report
        } catch {
            await lock.release()
            throw error
        }
    }

    private func work(_ begun: LastBackup) async throws -> BackupManifest? {
        // Before anything is written, since an earlier night may have ended with a full disk.
        try await removeSurplus()
        try await making.removeUnfinished()
        // Now there may be room.
        if try await last()?.begunAt != begun.begunAt { _ = try? await noteBegun(begun) }
        try await catchUp()
        let isWeekOver = try await keeping().isWeekOver(at: host.now)
        let made = try await makeWhole(begun)
        if isWeekOver {
            let lasting = try await making.make(.init(kind: .lasting))
            note("\(lasting.name) is made, to be kept four weeks")
            try await removeSurplus()
        }
        // Somebody may have checked by hand meanwhile.
        let present = try await last()
        if present?.damage != nil
            || BackupKeeping.isWeekOver(since: present?.checkedAt, at: host.now)
        {
            try await check()
        }
        return made
    }

    /// Makes the night's whole backup, and returns its manifest; nil where it is made already.
    private func makeWhole(_ begun: LastBackup) async throws -> BackupManifest? {
        let found = try await newest(since: begun.begunAt ?? host.now)
        let whole: BackupManifest
        if let found {
            whole = found
        } else {
            whole = try await making.make(.init())
            note("\(whole.name) is made: \(whole.records) records, \(whole.bytes) bytes")
        }
        // A night that died between the backup and its note did not note it.
        if found == nil || begun.name != whole.name {
            try await change(orBegin: begun) {
                ($0.goodAt, $0.name) = (whole.finishedAt, whole.name)
            }
        }
        try await removeSurplus()
        return found == nil ? whole : nil
    }

    private func keeping() async throws -> BackupKeeping {
        BackupKeeping(try await files.list().compactMap(\.manifest))
    }

    private func removeSurplus() async throws {
        for old in try await keeping().surplus(at: host.now) { try await files.remove(old.name) }
    }
}
