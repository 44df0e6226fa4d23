import Devices
import EventLog
import Events
import Testing
import Wire

@Suite("Sources of sites in the log") struct SiteSourcesTests {
    private static func stored(_ record: LogRecord, on topic: Topic = .radioMaps) -> StoredRecord {
        StoredRecord(
            topic: topic.name, partition: 0, offset: 0, appendedAtMicroseconds: 0, key: record.key,
            value: record.value, headers: record.headers)
    }

    @Test("A tombstone ends the calibration of its site alone, and other tombstones are refused")
    func tombstone() {
        let calibration = SampleEvents.nodesCalibrated
        var other = calibration
        other.site = SiteID("other")
        var sites: [SiteID: SiteSources] = [:]
        for event in [calibration, other] {
            let isRead = sites.evolve(Self.stored(event.record(source: "/test")))
            #expect(isRead && sites[event.site]?.nodes != nil)
        }
        let tombstone = NodesCalibrated.tombstone(of: calibration.site)
        #expect(tombstone.key == calibration.recordKey)
        let isElsewhere = sites.evolve(Self.stored(tombstone, on: .magneticRoutes))
        #expect(!isElsewhere && sites[calibration.site]?.nodes != nil)
        let isRead = sites.evolve(Self.stored(tombstone))
        #expect(isRead && sites[calibration.site]?.nodes == nil)
        #expect(sites[other.site]?.nodes != nil)
        let strange = LogRecord(topic: Topic.radioMaps.name, key: [1, 2], value: nil)
        let isStrangeRead = sites.evolve(Self.stored(strange))
        #expect(!isStrangeRead)
    }

    @Test("The newest selection of a site counts until the tombstone of its own key")
    func selection() {
        let newer = SampleEvents.selected
        var older = newer
        older.revision = 2
        var sites: [SiteID: SiteSources] = [:]
        for event in [newer, older] {
            let isRead = sites.evolve(Self.stored(event.record(source: "/test")))
            #expect(isRead && sites[event.site]?.selected == newer)
        }
        #expect(PositionerSelected.tombstone(of: newer.site).key == newer.recordKey)
        let others = [NodesCalibrated.tombstone(of: newer.site)]
        for record in others {
            let isRead = sites.evolve(Self.stored(record))
            #expect(isRead && sites[newer.site]?.selected == newer)
        }
        let isRead = sites.evolve(Self.stored(PositionerSelected.tombstone(of: newer.site)))
        #expect(isRead && sites[newer.site]?.selected == nil)
    }
}
