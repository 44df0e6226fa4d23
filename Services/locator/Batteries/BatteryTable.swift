import EventLog
import Events
import Retrying
import ServiceHost
import ServiceRuntime
import Wire

/// Keeps the batteries of beacons in memory, and removes those of beacons that are gone, or that
/// have none any more.
struct BatteryTable: Sendable {
    private static let pause = Duration.seconds(600)
    /// The most records that are removed at once.
    private static let removedAtOnce = 1_000

    let host: Host
    let directory: BatteryDirectory

    var components: [any Component] {
        // The directory is changed in place: a copy for each batch would take as long as a site
        // has beacons.
        let table = LogTable<Bool>(
            log: host.log, topic: Topic.beaconBatteries.name, initial: true,
            apply: { [directory, host] _, record in
                if !directory.apply(record) {
                    host.unexpected("A record of \(record.topicPartition) is of no battery.")
                }
            },
            onChange: { _ in
                if !directory.isReady { directory.markReady() }
                showLow()
            }, notices: host.notices)
        return [
            host.loop("beacon batteries") { await table.run() },
            host.loop("batteries of removed beacons") {
                await host.untilDone("Removing batteries of beacons that are gone") {
                    try await run(&$0)
                }
            },
        ]
    }

    /// Shows how many batteries of each site are low; a site begins with its first battery.
    func showLow() {
        for site in directory.sites {
            host.context.metrics.gaugeReading(
                "whereabouts_beacon_batteries_low",
                help: "Beacons of a site whose battery is below 20 percent.",
                labels: ["site": site.text]
            ) { [directory] in Double(directory.lowCount(at: site)) }
        }
    }

    private func run(_ retry: inout Retry) async throws {
        while !Task.isCancelled {
            try await Task.sleep(for: Self.pause)
            try await removeGone()
            retry.ended()
        }
    }

    func removeGone() async throws {
        let gone = directory.gone(from: host.sites).prefix(Self.removedAtOnce)
        if !gone.isEmpty { try await host.log.append(gone.map(\.tombstone)) }
    }
}
