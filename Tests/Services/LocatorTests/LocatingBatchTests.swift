import Devices
import EventLog
import Events
import Positioning
import Testing
import Wire

@testable import Locator

@Suite("A locator's batch") struct LocatingBatchTests {
    @Test("Of a device that is forgotten within a batch, tombstones are the last word")
    func forgotten() {
        let moment = Timestamp(microseconds: LocatorBench.start)
        let scan = ScanRecorded(
            id: EventID(high: 1, low: 2), site: LocatorBench.site, device: DeviceID("d"),
            scanner: ScannerID("d"), at: moment, receivedAt: moment, wifi: [])
        var state = PartitionState()
        var history = state.takeHistory("small/d")
        var batch = LocatingBatch(partition: 0)
        batch.changed("small/d", history.evolve(ScanSighting(scan)))
        state.histories["small/d"] = history
        batch.forget("small/d", state)
        state.forget("small/d")
        let records = batch.records(state)
        #expect(!records.records.isEmpty)
        #expect(records.records.allSatisfy { $0.value == nil })
    }
}
