import Events
import Geometry
import Site
import Testing

@testable import Timetables

@Suite struct FeedMisfitTests {
    private static let site = SiteDocument(
        name: "Campus", originLatitude: 51, originLongitude: 0, bearingDegrees: 0,
        buildings: [
            BuildingRecord(id: BuildingID("bush"), name: "Bush", timeZone: "Europe/London")
        ],
        floors: [
            FloorRecord(id: FloorID("s7"), building: BuildingID("bush"), ordinal: 7, level: "7")
        ],
        rooms: [
            RoomRecord(
                id: RoomID("s-7.01"), floor: FloorID("s7"), name: "7.01", kind: "lab", outline: [])
        ])

    private func misfit(
        building: String? = nil, room: String? = nil, zone: String? = nil
    ) -> FeedMisfit? {
        TimetableFeed(
            site: SiteID("campus"), id: FeedID("labs"), kind: .calendar, address: "", name: "",
            building: building.map { BuildingID($0) }, room: room.map { RoomID($0) },
            timeZone: zone
        ).misfit(in: Self.site, isZone: { $0 == "Asia/Tokyo" })
    }

    @Test("A building, a room or a zone that is not there does not fit")
    func misfits() {
        #expect(misfit() == nil)
        #expect(misfit(building: "bush", room: "s-7.01", zone: "Asia/Tokyo") == nil)
        #expect(misfit(building: "s7") == .buildingUnknown(BuildingID("s7")))
        #expect(misfit(building: "bush", room: "7.01") == .roomUnknown(RoomID("7.01")))
        #expect(misfit(zone: "Tokyo") == .zoneUnknown("Tokyo"))
    }

    @Test("A feed whose room has gone can be disabled and changed, but not enabled again")
    func gone() {
        func misfit(of feed: TimetableFeed, after former: TimetableFeed) -> FeedMisfit? {
            feed.misfit(in: Self.site, after: former, isZone: { _ in true })
        }
        let former = TimetableFeed(
            site: SiteID("campus"), id: FeedID("labs"), kind: .calendar, address: "", name: "",
            room: RoomID("gone"))
        let unknown = FeedMisfit.roomUnknown(RoomID("gone"))
        var (changed, disabled) = (former, former)
        changed.building = BuildingID("bush")
        disabled.isEnabled = false
        #expect(misfit(of: changed, after: former) == nil)
        #expect(misfit(of: disabled, after: former) == nil)
        #expect(misfit(of: former, after: disabled) == unknown)
        changed.room = RoomID("nowhere")
        #expect(misfit(of: changed, after: former) == .roomUnknown(RoomID("nowhere")))
    }
}
