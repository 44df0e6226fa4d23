import Backups
import Events
import HTTPClient
import ServiceHost
import ServiceRuntime
import Storage
import Wire

extension Doctor {
    private static let oldBackupSeconds = 93_600.0
    private static let endingCertificateDays = 10.0

    /// The backups, the certificates and this machine's disks.
    func places() async -> [Finding] {
        let paths = DiskSpace.paths(host.configuration.text(DiskSpace.setting.name))
        let disks = paths.map { path in
            DiskSpace(path: path).map { Self.disk(path, $0) }
                ?? Finding("disk", .unknown, "there is no \(path) on this machine")
        }
        return disks + [await backup()] + (await certificates())
    }

    private func backup() async -> Finding {
        let name = "backup"
        guard let place = host.configuration.optionalText(BackupPlace.variable) else {
            return Finding(
                name, .warning, "no place for backups is set",
                advice: "Set WHEREABOUTS_BACKUPS: without backups a broken disk loses everything")
        }
        guard place.hasPrefix("/") else {
            return Finding(name, .unknown, "the last backup's age shows at \(place) itself")
        }
        guard let report = BackupPlace.lastReport(in: place) else {
            return Finding(
                name, .warning, "\(place) has no \(LastBackup.file): none was made yet",
                advice: "Run `whereabouts backup` once, and look at its timer")
        }
        let finding = Self.backup(report, at: host.now)
        let erasures = ErasureFiles(FolderPlace(path: place))
        guard finding.result == .ok, let silence = try? await erasures.silence(at: host.now) else {
            return finding
        }
        return Finding(name, .warning, silence)
    }

    static func backup(_ report: LastBackup, at now: Timestamp) -> Finding {
        let seconds = Double(now - report.finishedAt) / 1e6
        let age = "\(span(seconds)) ago" + (report.name.map { " (\($0))" } ?? "")
        guard report.isOK else {
            return Finding(
                "backup", .wrong,
                "the last backup failed \(age)" + (report.reason.map { ": \($0)" } ?? ""),
                advice: "Its log has the reason; run `whereabouts backup` again when it is mended")
        }
        guard seconds > oldBackupSeconds else {
            return Finding("backup", .ok, "the last one finished \(age)")
        }
        return Finding(
            "backup", .wrong, "the last one finished \(age), so more than a day may be lost",
            advice: "Look at the timer of `whereabouts backup`, and run it once")
    }

    private func certificates() async -> [Finding] {
        let configuration = host.configuration
        let addresses = WatchedCertificates.addresses(
            publicURL: configuration.optionalText("WHEREABOUTS_PUBLIC_URL"), configuration)
        guard !addresses.isEmpty else {
            return [
                Finding(
                    "certificate", .unknown, "no address with TLS is set",
                    advice: "Set WHEREABOUTS_PUBLIC_URL: telephones accept HTTPS only")
            ]
        }
        var findings: [Finding] = []
        for address in addresses {
            do {
                let days = try await WatchedCertificates.daysLeft(
                    at: address, now: host.now.microseconds)
                findings.append(Self.certificate(address, days: days))
            } catch {
                findings.append(
                    Finding("certificate", .unknown, "\(address): \(error.reason)"))
            }
        }
        return findings
    }

    static func certificate(_ address: String, days: Double) -> Finding {
        let name = "certificate"
        let advice = "Renew it; Caddy does that by itself, so read Caddy's log first"
        if days <= 0 {
            return Finding(
                name, .wrong, "that of \(address) has ended: browsers refuse it", advice: advice)
        }
        let text = "that of \(address) ends in \(Int(days)) days"
        return days < endingCertificateDays
            ? Finding(name, .warning, text, advice: advice) : Finding(name, .ok, text)
    }
}
