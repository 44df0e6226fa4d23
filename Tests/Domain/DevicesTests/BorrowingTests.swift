import Devices
import Events
import Geometry
import Magnetic
import Positioning
import SampleSites
import Site
import Testing

@Suite("Sources of a testers' site") struct BorrowingTests {
    private static let shown = SiteID("sample.test")
    private static let draft = SampleSite.index.document.borrowing(
        from: SampleSite.id, since: Timestamp(microseconds: 0))

    /// A few surveys of each room: enough to be right, and quick to learn from.
    private static let map = RadioMapBuilder.build(
        SampleSite.surveys.enumerated().filter { $0.offset % 5 == 0 }.map(\.element),
        site: SampleSite.index
    ).map

    private static func published(_ document: SiteDocument) throws -> PublishedSite {
        PublishedSite(version: 7, index: try SiteIndex(document))
    }

    @Test("It borrows map, choice and routes, and keeps its own floors and rooms")
    func borrowing() throws {
        var lender = SiteSources(
            SampleSite.id, site: PublishedSite(version: 2, index: SampleSite.index))
        lender.evolve(Script.announcement(hash: "lent", version: 4))
        let all = [SampleSite.id: lender]
        let sources = all.located(Self.shown, published: try Self.published(Self.draft))
        #expect(sources.map?.hash == "lent" && sources.map?.site == SampleSite.id)
        #expect(sources.site?.version == 7)
        #expect(sources.routes.versions == lender.routes.versions)
        // Announcements for the testers' site itself are ignored.
        var own = SiteSources(Self.shown)
        own.evolve(Script.announcement(hash: "own", version: 9))
        let both = [SampleSite.id: lender, Self.shown: own]
        #expect(
            both.located(Self.shown, published: try Self.published(Self.draft)).map?.hash == "lent")
    }

    @Test("Any other site uses its own sources; a site without surveys has none")
    func own() {
        let site = PublishedSite(version: 2, index: SampleSite.index)
        var known = SiteSources(SampleSite.id)
        known.evolve(Script.announcement(hash: "own"))
        let all = [SampleSite.id: known]
        #expect(all.located(SampleSite.id, published: site).map?.hash == "own")
        #expect(all.located(SiteID("other"), published: site).map == nil)
        #expect(all.located(Self.shown, published: nil).map == nil)
    }

    @Test("Positions name the draft's rooms")
    func rooms() throws {
        var document = Self.draft
        for index in document.rooms.indices where document.rooms[index].id == RoomID("B") {
            document.rooms[index].id = RoomID("atrium")
        }
        let position = try Self.position(
            in: document, "knn", at: [15, 4], on: SampleSite.ground)
        #expect(position?.room == RoomID("atrium"))
    }

    @Test(
        "A floor of the borrowed map that the draft removed breaks no positioner",
        arguments: PositionerRegistry.standard.names)
    func goneFloor(name: String) throws {
        var document = Self.draft
        document.floors.removeAll { $0.id == SampleSite.first }
        document.rooms.removeAll { $0.floor == SampleSite.first }
        for floor in [SampleSite.ground, SampleSite.first] {
            let position = try Self.position(in: document, name, at: [5, 4], on: floor)
            // The site no longer has the floor, so its building is unknown.
            if position?.floor == SampleSite.first { #expect(position?.building == nil) }
        }
    }

    private static func position(
        in document: SiteDocument, _ name: String, at point: Point, on floor: FloorID
    ) throws -> PositionEstimated? {
        let positioner = try #require(PositionerRegistry.standard[name])
        let lender = SiteSources(SampleSite.id, map: Script.announcement(hash: "lent"))
        let sources = [SampleSite.id: lender].located(shown, published: try published(document))
        let knowledge = SiteKnowledge(
            sources, map: map,
            positioners: [WorkingPositioner(positioner: positioner, option: name)], Script.digests)
        let scan = SampleSite.scan(1, wifi: SampleSite.readings(at: point, floor: floor))
        var scratch = DeviceScratch()
        return Device.position(
            ofOne: scan, in: knowledge, by: Script.rules, locatedAt: scan.receivedAt,
            scratch: &scratch)
    }
}
