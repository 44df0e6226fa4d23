import EventLog
import Events
import ServiceHost
import ServiceRuntime
import Wire

extension BackupRestoring {
    /// Refuses a backup whose records a restore with these settings would drop, although the
    /// installation that made it kept them.
    func requireRetentions(of manifest: BackupManifest) throws {
        let here = host.topics.retentions
        let shorter = manifest.topics.filter { $0.records > 0 }.map(\.name).compactMap { topic in
            manifest.retentions[topic].flatMap { before in
                here[topic].flatMap { $0 < before ? (topic, before, $0) : nil }
            }
        }
        guard !shorter.isEmpty else { return }
        let list = shorter.map { topic, before, now in
            "\(topic) was kept \(Self.text(before)), and is kept \(Self.text(now)) here"
        }
        throw BackupFault(
            "a restore with these settings would drop records: \(list.joined(separator: "; ")). "
                + "Set WHEREABOUTS_RETENTION_… as before, or drop them by --shorter-retention")
    }

    private static func text(_ seconds: Int) -> String {
        Duration.seconds(seconds).configurationText
    }
}
