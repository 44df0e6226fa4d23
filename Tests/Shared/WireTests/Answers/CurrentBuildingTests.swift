import Devices
import Events
import Testing
import Wire

@Suite("The state of the building that a device is in") struct CurrentBuildingTests {
    private static let house = BuildingID("house.1_a-b")
    private static let last = Timestamp(microseconds: 1_795_305_600_000_001)

    @Test("is read as it was written, also outdoors and within a change")
    func roundTrip() {
        for building in [nil, Self.house] {
            for change in [
                nil, BuildingDwell.Change(to: nil, since: Self.last),
                BuildingDwell.Change(to: Self.house, since: Timestamp(microseconds: 0)),
            ] {
                let dwell = BuildingDwell(building: building, change: change, last: Self.last)
                let state = CurrentBuilding.state(dwell)
                #expect(CurrentBuilding.dwell(state: state) == dwell, "\(state)")
                #expect(state.utf8.allSatisfy { $0 > 32 && $0 != 38 && $0 != 43 && $0 < 127 })
            }
        }
    }

    @Test(
        "is nothing else",
        arguments: [
            "", "~", "house", "1", "-1~house", "1~a b", "1~house~", "1~house~x~house", "1~a~2~b~",
            "1~house~2", "9223372036854775807~house", "1~house~253402300800000000~a",
            "1~" + String(repeating: "a", count: 65), String(repeating: "1", count: 300),
        ])
    func malformed(state: String) {
        #expect(CurrentBuilding.dwell(state: state) == nil)
    }
}
