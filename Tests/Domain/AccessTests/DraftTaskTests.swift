import Access
import Events
import Geometry
import Site
import Testing

@Suite("Rights on a draft") struct DraftTaskTests {
    private static let site = SiteID("museum")
    private static let surveyor = DraftRights([Grant(.surveyor, site: site)], at: site)
    private static let floor = FloorID("0")

    private static func location(_ name: String) -> DraftValue {
        .record(
            LocationRecord(
                id: LocationID("l"), name: name, floor: floor, room: nil, point: [1, 1]))
    }

    private static func room(isProposed: Bool) -> DraftValue {
        .record(
            RoomRecord(
                id: RoomID("r"), floor: floor, name: "R", kind: "room", outline: [],
                isProposed: isProposed))
    }

    private static func discards(_ discards: [SurveyDiscard]) -> DraftValue {
        var site = SiteDocument(
            name: "M", originLatitude: 0, originLongitude: 0, bearingDegrees: 0)
        site.surveyDiscards = discards
        return .site(site)
    }

    private static func may(_ before: DraftValue?, _ after: DraftValue?) -> Bool {
        let thing: DraftThing
        switch before ?? after {
        case .record(let record)?: thing = .record(record.thing)
        default: thing = .site
        }
        let change = DraftChange(thing, before: before, after: after)
        #expect(DraftRights.all.mayMake([change]))
        #expect(!DraftRights.none.mayMake([change]))
        return surveyor.mayMake([change])
    }

    @Test("A surveyor makes, changes and removes locations, and discards their surveys")
    func locations() {
        #expect(Self.may(nil, Self.location("a")))
        #expect(Self.may(Self.location("a"), Self.location("b")))
        #expect(Self.may(Self.location("a"), nil))
        let now = Timestamp(milliseconds: 1)
        let own = SurveyDiscard(
            floor: Self.floor, outline: [], locations: [LocationID("l")], before: now)
        let whole = SurveyDiscard(
            floor: Self.floor, outline: [[0, 0], [1, 0], [1, 1]], locations: [LocationID("l")],
            before: now)
        #expect(Self.may(Self.discards([]), Self.discards([own])))
        #expect(!Self.may(Self.discards([]), Self.discards([whole])))
        #expect(!Self.may(Self.discards([own]), Self.discards([whole])))
    }

    @Test("A surveyor proposes rooms, and neither accepts them nor touches others")
    func rooms() {
        #expect(Self.may(nil, Self.room(isProposed: true)))
        #expect(Self.may(Self.room(isProposed: true), nil))
        #expect(Self.may(Self.room(isProposed: true), Self.room(isProposed: true)))
        #expect(!Self.may(nil, Self.room(isProposed: false)))
        #expect(!Self.may(Self.room(isProposed: true), Self.room(isProposed: false)))
        #expect(!Self.may(Self.room(isProposed: false), Self.room(isProposed: true)))
        #expect(!Self.may(Self.room(isProposed: false), nil))
    }

    @Test("A change of the site itself, or one other among many, is for administrators")
    func others() {
        var renamed = SiteDocument(
            name: "N", originLatitude: 0, originLongitude: 0, bearingDegrees: 0)
        renamed.audience = .link
        #expect(!Self.may(Self.discards([]), .site(renamed)))
        let floor = DraftChange(
            .record(.floor(Self.floor)), before: nil,
            after: .record(
                FloorRecord(id: Self.floor, building: BuildingID("b"), ordinal: 0, level: "0")))
        let location = DraftChange(
            .record(.location(LocationID("l"))), before: nil, after: Self.location("a"))
        #expect(!Self.surveyor.mayMake([location, floor]))
        #expect(Self.surveyor.mayMake([location, location]))
    }

    @Test("A role counts at its complete site, and nobody else does anything")
    func grants() {
        func tasks(_ grants: Grant...) -> Set<DraftTask> {
            DraftRights(grants, at: Self.site).tasks
        }
        let surveyed: Set<DraftTask> = [.locations, .proposedRooms, .undoOfOwn]
        #expect(tasks(Grant(.surveyor)) == surveyed)
        #expect(tasks(Grant(.surveyor, site: Self.site)) == surveyed)
        #expect(tasks(Grant(.administrator)) == Set(DraftTask.allCases))
        #expect(tasks(Grant(.administratorOfSite, site: Self.site)) == Set(DraftTask.allCases))
        #expect(tasks(Grant(.surveyor, site: SiteID("other"))).isEmpty)
        let partial = Grant(.administratorOfSite, site: Self.site, buildings: [BuildingID("b")])
        #expect(tasks(partial).isEmpty)
        for role in Role.allCases
        where ![.surveyor, .administrator, .administratorOfSite].contains(role) {
            #expect(tasks(Grant(role, site: Self.site)).isEmpty, "\(role)")
        }
        #expect(Self.surveyor.mayUndo(isOwn: true) && !Self.surveyor.mayUndo(isOwn: false))
        #expect(DraftRights.all.mayUndo(isOwn: false) && !DraftRights.none.mayUndo(isOwn: true))
    }
}
