import Beacons
import Events
import SeededRandomness
import Site
import Testing

@Suite("BeaconPresence") struct BeaconPresenceTests {
    private func change(
        _ group: Int, _ kind: BeaconGroupChange.Kind, _ second: Double
    ) -> BeaconGroupChange {
        BeaconGroupChange(group: BeaconGroupIndex(group), kind: kind, at: .second(second))
    }

    @Test("The first beacon received enters a group, and the silence of all its beacons leaves it")
    func story() throws {
        let map = try BeaconMap(document([[(0, 0), (5, 0)], [(50, 0)]]))
        var presence = BeaconPresence(map: map)
        #expect(presence.hear([], at: .second(0)) == [])
        #expect(presence.hear([ranged(1, 1)], at: .second(1)) == [change(0, .entered, 1)])
        // Another beacon of the group keeps the device in it, and nothing is reported twice.
        #expect(presence.hear([ranged(1, 0)], at: .second(9)) == [])
        #expect(presence.hear([ranged(1, 2)], at: .second(19)) == [change(1, .entered, 19)])
        #expect(presence.groups == [BeaconGroupIndex(0), BeaconGroupIndex(1)])
        #expect(presence.hear([], at: .second(19.5)) == [change(0, .left, 19)])
        // The silence was not noticed in time: the group is left at its time, then entered.
        let late = presence.hear([ranged(1, 2)], at: .second(100))
        #expect(late == [change(1, .left, 29), change(1, .entered, 100)])
    }

    @Test("A disabled beacon, a disabled group and a late scan enter nothing")
    func disabled() throws {
        var document = document([[(0, 0), (5, 0)], [(50, 0)]])
        document.groups[0].beacons[0].isEnabled = false
        document.groups[1].isEnabled = false
        var presence = BeaconPresence(map: try BeaconMap(document))
        let heard = [ranged(1, 0), ranged(1, 2)]
        #expect(presence.hear(heard, at: .second(1)) == [])
        #expect(presence.hear([ranged(1, 1)], at: .second(0)) == [])
        #expect(presence.hear([ranged(1, 1)], at: .second(2)) == [change(0, .entered, 2)])
    }

    @Test(
        "A device is in a group if it received one of its beacons lately, ring or not",
        arguments: 0..<60)
    func againstHistory(seed: Int) throws {
        var random = RandomBeacons(seed: seed)
        let document = random.document()
        let map = try BeaconMap(document)
        var presence = BeaconPresence(map: map, leaveAfter: .seconds(4))
        // For each group, the seconds at which an enabled beacon of it was received.
        var moments: [Int: [Int]] = [:]
        var isIn: Set<Int> = []
        var second = 0
        for _ in 0..<60 {
            second += Int.random(in: 0...4, using: &random.random)
            let heard = Bool.random(using: &random.random) ? random.heard() : []
            for beacon in heard {
                guard let found = slowBeacon(beacon.identity, in: document),
                    document.isEnabled(found)
                else { continue }
                moments[found.group, default: []].append(second)
            }
            for change in presence.hear(heard, at: .second(Double(second))) {
                let group = change.group.value
                switch change.kind {
                case .entered:
                    #expect(isIn.insert(group).inserted)
                    #expect(change.at == .second(Double(second)))
                case .left:
                    #expect(isIn.remove(group) != nil)
                    let last = moments[group]?.last { $0 < second } ?? -1
                    #expect(change.at == .second(Double(last + 4)))
                }
            }
            let slow = moments.filter { $0.value.contains { second - $0 <= 4 } }.keys
            #expect(isIn == Set(slow))
            #expect(presence.groups.map(\.value) == slow.sorted())
        }
    }
}
