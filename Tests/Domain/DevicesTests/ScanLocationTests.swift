import Devices
import Events
import Geometry
import Positioning
import SampleSites
import Site
import Testing

@Suite struct ScanLocationTests {
    private func position(_ estimate: Estimate) -> PositionEstimated {
        var scan = SampleSite.scan(1, wifi: [])
        scan.sentAt = scan.at.advanced(byMicroseconds: 1_000)
        scan.receivedAt = scan.at.advanced(byMicroseconds: 61_000_000)
        return locateScan(
            scan, estimate: estimate, id: EventID(high: 1, low: 1), locatedAt: scan.receivedAt,
            isLate: true, site: SampleSite.index,
            context: LocatingContext(positioner: "knn", siteVersion: 4, radioMapVersion: 9))
    }

    @Test("A position carries the estimate, the building and the degrees, at the corrected time")
    func located() throws {
        let place = Estimate.Place(
            floor: SampleSite.ground, point: Point(x: 4, y: 5), room: RoomID("A"),
            covariance: .init(xx: 1, xy: 0.5, yy: 2), radius68: 1.5, radius95: 3)
        let position = position(Estimate(state: .located, place: place))
        #expect(position.building == BuildingID("house"))
        #expect(position.room == RoomID("A"))
        #expect(position.x == 4 && position.y == 5)
        #expect(position.covariance == [1, 0.5, 2])
        #expect(position.late && position.siteVersion == 4 && position.radioMapVersion == 9)
        let back = SampleSite.index.frame.point(
            GeographicPoint(
                latitude: try #require(position.latitude),
                longitude: try #require(position.longitude)))
        #expect(back.distance(to: place.point) < 0.001)
        let expected = SampleSite.scan(1, wifi: []).at.advanced(byMicroseconds: 60_999_000)
        #expect(position.at == expected)
    }

    @Test("A lost device has a position event without a place")
    func lost() {
        let position = position(.lost)
        #expect(position.state == .lost)
        #expect(position.x == nil && position.floor == nil && position.rooms.isEmpty)
    }
}
