import Backups
import EventLog
import Events
import FingerprintBuilder
import JSON
import Locator
import ServiceHost
import ServiceRuntime
import SiteEditor
import TimetableFetcher
import Wire

/// One call of `whereabouts backup`.
struct BackupWork: Sendable {
    /// If the last good backup is older, `keep` makes one at its start. So a machine that is
    /// switched off at night has backups too.
    private static let oldestMicroseconds: Int64 = 24 * 3_600_000_000
    private static let afterFailureMicroseconds: Int64 = 3_600_000_000
    /// The services make their tables and topics meanwhile, when everything is started at once.
    private static let settlingMicroseconds: Int64 = 900_000_000

    static let stores =
        SiteEditorDefinition.backupStores + FingerprintBuilderDefinition.backupStores
        + LocatorDefinition.backupStores + TimetableFetcherDefinition.backupStores

    let host: Host
    private let invocation: Invocation
    private let files: BackupFiles
    private let erasures: ErasureFiles
    private let making: BackupMaking
    private let restoring: BackupRestoring

    init(
        _ invocation: Invocation, environment: [String: String] = ServiceProgram.processEnvironment
    ) throws {
        let host = try Host.make(
            environment: environment, service: "whereabouts backup",
            settings: ServiceProgram.serviceSettings)
        guard let place = try host.backupPlace() else {
            throw CommandFault(
                "set WHEREABOUTS_BACKUPS, a folder or s3://BUCKET/PREFIX, here and for site-editor")
        }
        self.host = host
        self.invocation = invocation
        files = BackupFiles(place)
        erasures = ErasureFiles(place)
        making = BackupMaking(host, stores: Self.stores, files: files, note: invocation.note)
        restoring = BackupRestoring(
            host, stores: Self.stores, files: files, erasures: erasures,
            copied: { [pool = host.requiredDatabase()] in
                try await SiteEditorDefinition.copiedErasures(pool)
            }, sealed: SiteEditorDefinition.sealedKeys(secret: host.lastingSecret),
            reapply: { try SiteEditorDefinition.reapply($0, $1) }, note: invocation.note)
    }

    func run(_ word: String, name: String?, _ reader: ArgumentReader) async throws {
        switch word {
        case "make":
            let warning = try await catchUp()
            let manifest = try await making.make(
                .init(
                    kind: reader.has("--lasting") ? .lasting : .whole,
                    withScans: reader.has("--scans")))
            invocation.output(Self.line(manifest, warning: warning))
            if manifest.kind == .whole { try await nightly.noteMade(manifest) }
        case "list": try await list()
        case "check": try await check(name)
        case "restore":
            guard let name else { throw UsageFault("backup restore needs NAME; see backup list") }
            try await restore(
                name, isCheck: reader.has("--check"),
                .init(
                    isShorterAllowed: reader.has("--shorter-retention"),
                    isClockRight: reader.has("--clock-is-right"),
                    isSecretLost: reader.has("--other-secret")))
        case "nightly":
            if let made = try await nightly.run() { invocation.output(Self.line(made)) }
        default: try await keep()
        }
    }

    private var nightly: NightlyBackup {
        NightlyBackup(
            host, files: files, making: making, restoring: restoring,
            catchUp: { try await catchUp() }, note: invocation.note)
    }

    /// site-editor writes erasures by itself; this is for the time before it had the setting.
    ///
    /// - Returns: a warning where site-editor does not.
    @discardableResult
    private func catchUp() async throws -> String? {
        try await SiteEditorDefinition.writeErasures(host.requiredDatabase(), erasures)
        let warning = try await erasures.silence(at: host.now)
        if let warning { invocation.note("Warning: \(warning)") }
        return warning
    }

    private func list() async throws {
        for backup in try await files.list() {
            guard let manifest = backup.manifest else {
                var writer = JSONWriter()
                writer.beginObject()
                writer.field("name", backup.name)
                writer.field("isWhole", false)
                writer.field("bytes", backup.bytes)
                writer.field("reason", backup.fault)
                writer.endObject()
                invocation.output(writer.finishText())
                continue
            }
            invocation.output(Self.line(manifest))
        }
    }

    private static func line(_ manifest: BackupManifest, warning: String? = nil) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("name", manifest.name)
        writer.field("isWhole", true)
        writer.field("kind", manifest.kind.rawValue)
        writer.field("bytes", manifest.bytes)
        writer.field("records", manifest.records)
        writer.field("rows", manifest.tables.reduce(0) { $0 + $1.rows })
        writer.field("acceptedBefore", microseconds: manifest.recordsAt.microseconds)
        writer.field("log", manifest.log)
        writer.field("program", manifest.program)
        if let warning { writer.field("warning", warning) }
        writer.endObject()
        return writer.finishText()
    }

    /// Prints the outcome also where something is damaged, and then fails.
    private func check(_ name: String?) async throws {
        let check = try await nightly.check(name)
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("checked", check.checked.count)
        writer.field("bytes", check.checked.reduce(0) { $0 + $1.bytes })
        writer.field("erasures", check.erasures)
        for (field, names) in [("unfinished", check.unfinished), ("unfit", check.unfit)] {
            writer.name(field)
            writer.beginArray()
            for name in names { writer.string(name) }
            writer.endArray()
        }
        writer.endObject()
        invocation.output(writer.finishText())
        if let damage = check.damage { throw BackupFault(damage) }
        guard check.checked.isEmpty else { return }
        guard let name else { throw CommandFault("nothing was checked: there is no whole backup") }
        throw CommandFault(
            check.unfinished.isEmpty
                ? "there is no backup \(name)"
                : "\(name) is not whole: it is being made, or was interrupted")
    }

    private func restore(
        _ name: String, isCheck: Bool, _ permissions: BackupRestoring.Permissions
    ) async throws {
        let summary =
            isCheck
            ? try await restoring.check(name)
            : try await restoring.restore(name, permissions)
        if isCheck { try await restoring.require(permissions, for: summary.manifest) }
        var writer = JSONWriter()
        writer.beginObject()
        if isCheck { writer.field("checked", name) } else { writer.field("restored", name) }
        writer.field("records", summary.records)
        writer.field("rows", summary.rows)
        if !isCheck {
            writer.field("isContinued", summary.isContinued)
            writer.field("pastRetention", summary.aged)
            writer.field("ofErasedDevices", summary.erased)
            writer.field("announcedAgain", summary.announced)
        }
        writer.field(
            "acceptedBefore", microseconds: summary.manifest.recordsAt.microseconds)
        writer.endObject()
        invocation.output(writer.finishText())
        guard !isCheck else { return }
        invocation.note(
            "Restored: all that was accepted before \(summary.manifest.recordsAt.text), and all "
                + "changes before \(summary.manifest.tablesAt.text). What came later is lost, "
                + "unless its senders send it again. Start the services now.")
    }

    /// Runs until the process is told to stop. A night whose backups could not be made is tried
    /// again after an hour; a damaged one is looked at again in the next night.
    private func keep() async throws {
        let hour = host.configuration.integer("WHEREABOUTS_BACKUP_HOUR")
        let last = try? await nightly.last()
        let isDone = last.map { $0.isOK && !$0.isUnfinished } ?? false
        let good = last?.lastGood(at: host.now)
        let isLate = !isDone || good.map { host.now - $0 > Self.oldestMicroseconds } ?? true
        var next =
            isLate
            ? host.now.advanced(byMicroseconds: Self.settlingMicroseconds)
            : BackupKeeping.next(hour: hour, after: host.now)
        while true {
            // In short steps, since the clock may be set meanwhile.
            while host.now < next {
                next = BackupKeeping.replanned(next, hour: hour, at: host.now)
                let rest = Duration.microseconds(next - host.now)
                try await Task.sleep(for: min(rest, .seconds(60)))
            }
            do {
                if let made = try await nightly.run() { invocation.output(Self.line(made)) }
                next = BackupKeeping.next(hour: hour, after: host.now)
            } catch let damage as NightlyBackup.Damage {
                invocation.note("A backup is damaged: \(damage)")
                next = BackupKeeping.next(hour: hour, after: host.now)
            } catch {
                invocation.note("The backup failed, and is tried again in an hour: \(error)")
                next = host.now.advanced(byMicroseconds: Self.afterFailureMicroseconds)
            }
        }
    }
}
