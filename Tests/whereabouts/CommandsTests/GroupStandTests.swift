import EventLog
import Testing

@testable import Commands

@Suite("A group's offset in a partition") struct GroupStandTests {
    private func stand(_ committed: Int64?, _ start: Int64, _ end: Int64) -> GroupStand {
        GroupStand(
            partition: TopicPartition("whereabouts.scans", 3), committed: committed,
            bounds: PartitionBounds(start: start, end: end))
    }

    @Test("before the first record: the group goes on at the first, and lost records are counted")
    func behind() {
        #expect(stand(5, 9, 20).wayOut == 9)
        #expect(stand(5, 9, 20).lost == 4)
        #expect(
            stand(5, 9, 20).line(isMoved: true)
                == #"{"partition":"whereabouts.scans/3","committed":5,"start":9,"end":20,"#
                + #""lost":4,"movedTo":9}"#)
    }

    @Test("beyond the end: the group goes on at the end, since it has read all records")
    func beyond() {
        #expect(stand(30, 9, 20).wayOut == 20)
        #expect(stand(30, 9, 20).lost == 0)
    }

    @Test("within the records: the group is not moved", arguments: [nil, 9, 15, 20] as [Int64?])
    func within(_ committed: Int64?) {
        #expect(stand(committed, 9, 20).wayOut == nil)
        #expect(stand(committed, 9, 20).lost == 0)
    }
}
