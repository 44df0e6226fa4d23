import Devices
import EventLog
import Events
import Positioning
import Site
import Wire

@testable import Locator

/// A locator's decisions on one partition, without a log or any other service.
struct BatchBench {
    var devices = DeviceTable()
    private var scratch = DeviceScratch()
    private let batches: BatchLocating

    init(
        _ positioner: any Positioner, _ document: SiteDocument = LocatorBench.document,
        batteries: BatteryDirectory? = nil
    ) throws {
        let site = SiteKnowledge(
            SiteSources(
                LocatorBench.site,
                site: PublishedSite(version: 1, index: try SiteIndex(document)),
                map: LocatorBench.announcement(version: 1)),
            map: .empty,
            positioners: [WorkingPositioner(positioner: positioner, option: positioner.name)],
            .standard)
        batches = BatchLocating(
            rules: DeviceRules(digests: .standard),
            now: { Timestamp(microseconds: LocatorBench.start) }, knowledge: { _ in site },
            isErased: { _, _ in false },
            onTooLarge: { _, _ in },
            batteryNews: {
                batteries?.news($0, now: Timestamp(microseconds: LocatorBench.start)) ?? []
            })
    }

    mutating func locate(_ records: [StoredRecord]) -> ProcessorOutputs {
        batches.locate(&devices, records, scratch: &scratch)
    }

    /// The records as the log would hold them, each appended when its scan arrived.
    static func stored(_ scans: [ScanRecorded]) -> [StoredRecord] {
        scans.enumerated().map { offset, scan in
            stored(
                scan.record(source: "/test"), offset: offset,
                atMicroseconds: scan.receivedAt.microseconds)
        }
    }

    static func stored(
        _ record: LogRecord, offset: Int = 0, atMicroseconds moment: Int64 = 0
    ) -> StoredRecord {
        StoredRecord(
            topic: record.topic, partition: 0, offset: Int64(offset),
            appendedAtMicroseconds: moment, key: record.key, value: record.value,
            headers: record.headers)
    }
}
