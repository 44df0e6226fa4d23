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
    private static let pageSeconds = 10.0

    /// The backups, the certificates and this machine's disks.
    func places() async -> [Finding] {
        let paths = DiskSpace.paths(host.configuration.text(DiskSpace.setting.name))
        let disks = paths.map { path in
            DiskSpace(path: path).map { Self.disk(path, $0) }
                ?? Finding("disk", .unknown, "there is no \(path) on this machine")
        }
        async let backups = backups()
        async let certificates = certificates()
        async let https = https()
        return disks + (await backups) + (await certificates) + (await https)
    }

    private func backups() async -> [Finding] {
        do {
            guard let place = try host.backupPlace() else {
                return [
                    Finding(
                        "backup", .warning, "no place for backups is set",
                        advice: "Set WHEREABOUTS_BACKUPS: a broken disk would lose everything")
                ]
            }
            let found = try await place.lastBackup(at: host.now) {
                guard let pool = host.database else { throw BackupFault("no DATABASE_URL") }
                return try await NightlyBackup.isUnderWay(pool)
            }
            guard let last = found.report else {
                return [
                    Finding(
                        "backup", .warning,
                        "\(place.name) has no \(LastBackup.file): none was made yet",
                        advice: "Run `whereabouts backup nightly`, and look at its timer")
                ]
            }
            var findings = Self.backups(last, isUnderWay: found.isUnderWay, at: host.now)
            if let silence = try await ErasureFiles(place).silence(at: host.now) {
                findings.append(Finding("erasures", .warning, silence))
            }
            return findings
        } catch {
            return [Finding("backup", .unknown, "the last one's report: \(Self.reason(error))")]
        }
    }

    /// - Parameter isUnderWay: whether somebody is at the night's work; nil where nobody can tell.
    static func backups(
        _ report: LastBackup, isUnderWay: Bool?, at now: Timestamp
    ) -> [Finding] {
        func ago(_ moment: Timestamp) -> String { "\(span(Double(now - moment) / 1e6)) ago" }
        var findings: [Finding] = []
        let begun = report.begunAt.map { " began \(ago($0)) and" } ?? ""
        switch report.standing(isUnderWay: isUnderWay ?? true) {
        case .good: break
        case .failed(let reason):
            findings.append(
                Finding(
                    "backup", .wrong, "the last night failed \(ago(report.finishedAt)): \(reason)",
                    advice: "Mend it, then run `whereabouts backup nightly`"))
        case .interrupted:
            findings.append(
                Finding(
                    "backup", .wrong, "the last night\(begun) was interrupted",
                    advice: "Look why its process died, then run `whereabouts backup nightly`"))
        case .underWay where isUnderWay == nil:
            findings.append(
                Finding(
                    "backup", .unknown,
                    "the last night\(begun) has not ended; PostgreSQL shows whether it goes on"))
        case .underWay where report.goodAt == nil:
            findings.append(
                Finding("backup", .warning, "the first night goes on, and no backup is whole yet"))
        case .underWay: break
        }
        if let damage = report.damage {
            findings.append(
                Finding(
                    "backup", .wrong, "one is damaged: \(damage)",
                    advice: "Bring the file from a copy, or delete that backup's folder; then run "
                        + "`whereabouts backup check`"))
        }
        guard let noted = report.goodAt else { return findings }
        guard let good = report.lastGood(at: now) else {
            findings.append(
                Finding(
                    "backup", .wrong,
                    "the last good one says that it finished at \(noted.text), which is to come",
                    advice: "Set the clocks right, then run `whereabouts backup nightly`"))
            return findings
        }
        let age = ago(good) + (report.name.map { " (\($0))" } ?? "")
        if Double(now - good) / 1e6 > oldBackupSeconds {
            findings.append(
                Finding(
                    "backup", .wrong,
                    "the last good one finished \(age), so more than a day may be lost",
                    advice: "Run `whereabouts backup nightly`, and look why its timer did not"))
        }
        let erasures = report.erasures.map { ", with \($0) erasures" } ?? ""
        let checked = report.checkedAt.map { "; all were checked \(ago($0))\(erasures)" } ?? ""
        return findings.isEmpty
            ? [Finding("backup", .ok, "the last one finished \(age)\(checked)")] : findings
    }

    private func certificates() async -> [Finding] {
        let configuration = host.configuration
        let addresses = WatchedCertificates.addresses(
            publicURL: configuration.optionalText("WHEREABOUTS_PUBLIC_URL"), configuration)
        let now = host.now.microseconds
        let files = WatchedCertificates.files(configuration).map { file in
            WatchedCertificates.daysLeft(in: file, now: now).map {
                Self.certificate(file.path, days: $0)
            }
                ?? Finding("certificate", .unknown, "\(file.path) can't be read here")
        }
        guard !addresses.isEmpty else {
            // `https` says so of an address without TLS.
            if configuration.optionalText("WHEREABOUTS_PUBLIC_URL") != nil { return files }
            return files + [
                Finding(
                    "certificate", .unknown, "no address with TLS is set",
                    advice: "Set WHEREABOUTS_PUBLIC_URL: telephones accept HTTPS only")
            ]
        }
        // Side by side: each one that does not answer takes ten seconds.
        let shown = await sideBySide(addresses) { address in
            do throws(HTTPClientError) {
                let days = try await WatchedCertificates.daysLeft(at: address, now: now)
                return Self.certificate(address, days: days)
            } catch {
                return Finding("certificate", .unknown, "\(address): \(error.reason)")
            }
        }
        return files + shown
    }

    /// Whether telephones accept the public address. Only pages with HTTPS and a certificate that
    /// they trust get the camera, the compass and the place.
    private func https() async -> [Finding] {
        guard let url = host.configuration.optionalText("WHEREABOUTS_PUBLIC_URL") else { return [] }
        if let plain = Self.plain(url) { return [plain] }
        do throws(HTTPClientError) {
            _ = try await host.client.send("GET", url, timeoutSeconds: Self.pageSeconds)
            return [Finding("https", .ok, "this machine opens \(url)")]
        } catch {
            return [
                Finding(
                    "https", .warning, "this machine can't open \(url): \(error.reason)",
                    advice: "Look whether telephones open it (docs/operation/https.md)")
            ]
        }
    }

    static func plain(_ publicURL: String) -> Finding? {
        guard !publicURL.lowercased().hasPrefix("https://") else { return nil }
        return Finding(
            "https", .warning,
            "WHEREABOUTS_PUBLIC_URL is \(publicURL): without HTTPS telephones refuse camera, "
                + "compass and location, and keep no maps",
            advice: "Set up HTTPS (docs/operation/https.md)")
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
