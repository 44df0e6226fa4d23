import Events
import Geometry
import SampleSites
import SeededRandomness
import Site
import Testing

@testable import Privacy

@Suite("Shared positions") struct SharedPositionTests {
    private static let moment = Timestamp(milliseconds: 1_795_305_600_000)
    private static let readers: [Reader] = [.stranger, .staff, .editor]

    /// Room A is the staff's, B is hidden, and so is the first floor; the corridor C is public. A
    /// strip at the right end of the ground floor is in no room.
    private static func site() throws -> PublishedSite {
        var document = SampleSite.index.document
        for index in document.rooms.indices {
            switch document.rooms[index].id.text {
            case "A": document.rooms[index].visibility = .staff
            case "B": document.rooms[index].visibility = .hidden
            default: break
            }
        }
        document.floors[1].visibility = .hidden
        return PublishedSite(version: 1, index: try SiteIndex(document))
    }

    private static func shown(_ shared: SharedPosition, _ site: PublishedSite) -> ShownPosition {
        ShownPosition(
            shared, strangers: site.seen(by: .stranger).index,
            sharers: site.seen(by: shared.sharer).index)
    }

    private static func shared(
        _ x: Double, _ y: Double, _ floor: FloorID? = SampleSite.ground,
        by sharer: Reader = .stranger, _ state: PositionEstimated.State = .located,
        told: Bool = false
    ) -> SharedPosition {
        SharedPosition(
            at: moment, state: state, floor: floor,
            place: SampleSite.index.frame.geographic(Point(x: x, y: y)), radiusMetres: 4,
            isInStaffArea: told, sharer: sharer)
    }

    @Test("Who looks is told the public room, the point and the radius")
    func room() throws {
        let shown = Self.shown(Self.shared(5, 1), try Self.site())
        #expect(shown.room == RoomID("C") && shown.floor == SampleSite.ground)
        #expect(shown.place != nil && shown.radiusMetres == 4 && !shown.isInStaffArea)
        #expect(shown.at == Self.moment)
    }

    @Test("A room of the staff is an area without a point, and a hidden floor is not told")
    func staff() throws {
        let site = try Self.site()
        let office = Self.shown(Self.shared(5, 4, by: .staff), site)
        #expect(office.isInStaffArea && office.floor == SampleSite.ground)
        #expect(office.room == nil && office.place == nil && office.radiusMetres == nil)
        let told = Self.shown(Self.shared(5, 4, told: true), site)
        #expect(told == office)
        // The floor is hidden, so the sharer's own service told of an area without a floor.
        let bare = Self.shown(Self.shared(5, 4, nil, told: true), site)
        #expect(bare.isInStaffArea && bare.floor == nil && bare.room == nil)
        #expect(bare.place == nil && bare.radiusMetres == nil)
        for floor in [SampleSite.first, FloorID("none")] {
            let hidden = Self.shown(Self.shared(5, 4, floor, by: .editor), site)
            #expect(hidden.isInStaffArea && hidden.floor == nil)
            #expect(hidden.room == nil && hidden.place == nil)
        }
    }

    @Test("A stranger who shares many places finds no outline of a room that is not shown")
    func probing() throws {
        var random = SeededRandom(seed: 7)
        let site = try Self.site()
        var open = SampleSite.index.document
        open.rooms.removeAll { ["A", "B"].contains($0.id.text) }
        open.locations.removeAll { ["A", "B"].contains($0.room?.text ?? "") }
        let without = PublishedSite(version: 1, index: try SiteIndex(open))
        for _ in 0..<500 {
            let probe = Self.shared(
                Double.random(in: -5...25, using: &random),
                Double.random(in: -5...11, using: &random))
            #expect(Self.shown(probe, site) == Self.shown(probe, without))
        }
    }

    @Test(
        "The answer is that of a slow search through all rooms", arguments: 0..<8 as Range<UInt64>)
    func twin(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let site = try Self.site()
        for _ in 0..<200 {
            let floors: [FloorID?] = [SampleSite.ground, SampleSite.first, FloorID("none"), nil]
            let shared = Self.shared(
                Double.random(in: -3...23, using: &random),
                Double.random(in: -3...9, using: &random),
                floors.randomElement(using: &random) ?? nil,
                by: Self.readers.randomElement(using: &random) ?? .stranger,
                [.located, .uncertain, .lost].randomElement(using: &random) ?? .lost,
                told: Int.random(in: 0..<5, using: &random) == 0)
            #expect(Self.shown(shared, site) == Self.slow(shared, site), "\(shared)")
        }
    }

    /// The same, by a walk over the whole document.
    private static func slow(_ shared: SharedPosition, _ site: PublishedSite) -> ShownPosition {
        let empty = SharedPosition(at: shared.at, state: .lost)
        var shown = Self.shown(empty, site)
        shown.state = shared.state
        if shared.state == .lost { return shown }
        let document = site.index.document
        let visibility = SiteVisibility(document)
        if let floor = shared.floor {
            guard document.floors.contains(where: { $0.id == floor }),
                Reader.stranger.sees(visibility.floor(floor))
            else {
                shown.isInStaffArea = true
                return shown
            }
            shown.floor = floor
            let point = shared.place.map { site.index.frame.point($0) } ?? Point(x: 0, y: 0)
            let here = document.rooms.filter { room in
                room.floor == floor && (room.outline.polygon?.contains(point) ?? false)
            }
            let forSharer = here.filter { shared.sharer.sees(visibility.room($0.id)) }
            let isPublic = { (room: RoomRecord) in Reader.stranger.sees(visibility.room(room.id)) }
            if shared.isInStaffArea || forSharer.contains(where: { !isPublic($0) }) {
                shown.isInStaffArea = true
                return shown
            }
            if shared.state == .located { shown.room = here.first(where: isPublic)?.id }
        } else if shared.isInStaffArea {
            shown.isInStaffArea = true
            return shown
        }
        shown.place = shared.place
        shown.radiusMetres = shared.radiusMetres
        return shown
    }
}
