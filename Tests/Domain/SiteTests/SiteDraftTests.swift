import Events
import Geometry
import Site
import Testing

/// Edits of a draft, without a database.
@Suite struct SiteDraftTests {
    private let now = Timestamp(milliseconds: 5_000)
    private let room = RoomID("bush-0-C")
    private let ground = FloorID("bush-0")

    /// The small site, with records that name its room C.
    private var draft: SiteDraft {
        var document = smallSite()
        document.connections = [
            ConnectionRecord(
                id: ConnectionID("door-gc"), kind: .door,
                stops: [
                    ConnectionStop(floor: ground, room: RoomID("bush-0-G"), point: [2, 1]),
                    ConnectionStop(floor: ground, room: room, point: [2, 1]),
                ]),
            ConnectionRecord(
                id: ConnectionID("lift"), kind: .lift,
                stops: [
                    ConnectionStop(floor: ground, room: room, point: [3, 0.5]),
                    ConnectionStop(floor: ground, point: [3, 1.5]),
                    ConnectionStop(floor: FloorID("bush-1"), point: [3, 0.5]),
                ]),
        ]
        document.zones = [
            ZoneRecord(id: ZoneID("show"), name: "Show", kind: "exhibition", rooms: [room])
        ]
        document.contents = [
            ContentRecord(id: ContentID("c-1"), place: .room(room), title: "The room")
        ]
        document.directory = [
            DirectoryEntry(
                id: DirectoryID("help"), kind: "service", name: "Help",
                places: [.room(room), .floor(ground)])
        ]
        return SiteDraft(site: SiteID("bush"), revision: 3, document: document)
    }

    private func edited(_ edit: SiteEdit, _ draft: SiteDraft? = nil) throws -> SiteDocument {
        try #require(
            try (draft ?? self.draft).decide(edit, expectedRevision: 3, at: now)
        ).document
    }

    @Test("An edit increases the revision, unless it changes nothing")
    func revisions() throws {
        let record: BuildingRecord = try #require(
            draft.document.record(.building(BuildingID("bush"))))
        #expect(try draft.decide(.put(record), expectedRevision: 3, at: now) == nil)
        var renamed = record
        renamed.name = "Bush"
        let next = try draft.decide(.put(renamed), expectedRevision: nil, at: now)
        #expect(next?.revision == 4)
        #expect(next?.document.buildings.map(\.name) == ["Bush"])
        #expect(throws: SiteRefusal.revisionConflict(expected: 2, actual: 3)) {
            try draft.decide(.put(renamed), expectedRevision: 2, at: now)
        }
    }

    @Test("A record on an unknown floor is refused, older faults of other records are not")
    func faults() throws {
        let lost = RoomRecord(
            id: RoomID("lost"), floor: FloorID("nowhere"), name: "Lost", kind: "room", outline: [])
        #expect(throws: SiteRefusal.self) { try edited(.put(lost)) }
        var document = draft.document
        document.rooms.append(lost)
        let broken = SiteDraft(site: draft.site, revision: 3, document: document)
        let building = BuildingRecord(id: BuildingID("b"), name: "B", timeZone: "Europe/London")
        #expect(try edited(.put(building), broken).buildings.count == 2)
        #expect(throws: SiteRefusal.self) {
            var other = lost
            other.id = RoomID("lost-2")
            _ = try edited(.put(other), broken)
        }
    }

    @Test("A room that others name is not removed, and the refusal lists them")
    func dependents() throws {
        func thing(_ kind: RecordKind, _ id: String) throws -> SiteThing {
            try #require(kind.thing(named: id))
        }
        let dependents: [SiteThing] = try [
            .location(LocationID("door")), thing(ConnectionRecord.kind, "door-gc"),
            thing(ConnectionRecord.kind, "lift"), .zone(ZoneID("show")),
            thing(ContentRecord.kind, "c-1"), .directoryEntry(DirectoryID("help")),
        ]
        #expect(
            throws: SiteRefusal.stillNamed(
                .room(room),
                by: dependents)
        ) { try edited(.remove(.room(room), isCascading: false)) }
        #expect(throws: SiteRefusal.unknown(.room(RoomID("x")))) {
            try edited(.remove(.room(RoomID("x")), isCascading: true))
        }
    }

    @Test("With cascade a room is removed with its places, its door and its surveys")
    func cascade() throws {
        let outline = try #require(draft.document.rooms.first { $0.id == room }).outline
        let after = try edited(.remove(.room(room), isCascading: true))
        #expect(!after.rooms.contains { $0.id == room })
        #expect(after.locations.map(\.id.text) == ["desk"])
        // The lift stays, without the removed stop.
        #expect(after.connections.map(\.id.text) == ["lift"])
        #expect(after.connections[0].stops.count == 2)
        #expect(after.zones.isEmpty)
        #expect(after.contents.isEmpty)
        #expect(after.directory.map(\.places) == [[.floor(ground)]])
        #expect(
            after.surveyDiscards == [
                SurveyDiscard(
                    floor: ground, outline: outline, locations: [LocationID("door")], before: now)
            ])
        #expect(SiteValidation.faults(in: after).isEmpty)
    }

    @Test("Rooms and holes within the removed room keep their surveys")
    func nested() throws {
        var document = smallSite()
        func add(_ id: String, _ left: Double, _ right: Double, holes: [Ring] = []) {
            document.rooms.append(
                RoomRecord(
                    id: RoomID(id), floor: ground, name: id, kind: "room",
                    outline: [[left, 20], [right, 20], [right, 30], [left, 30]], holes: holes))
        }
        let court: Ring = [[1.0, 21.0], [2, 21], [2, 22], [1, 22]]
        add("hall", 0, 50, holes: [court])
        add("booth", 10, 12)
        add("beside", 50, 60)
        let edits: [SiteEdit] = [
            .remove(.room(RoomID("hall")), isCascading: true), .clear(.room(RoomID("hall"))),
        ]
        for edit in edits {
            let after = try edited(
                edit, SiteDraft(site: draft.site, revision: 3, document: document))
            let discard = try #require(after.surveyDiscards.first)
            #expect(discard.holes == [court, document.rooms[document.rooms.count - 2].outline])
            #expect(SiteValidation.faults(in: after).isEmpty)
            let frame = LocalFrame(
                originLatitude: after.originLatitude, originLongitude: after.originLongitude,
                bearingDegrees: after.bearingDegrees)
            let discarded = DiscardedSurveys(after, frame: frame)
            let left = [5.0, 11, 12, 12.5, 50.5].map { x in
                !discarded.contains(
                    .metres(floor: ground, x: x, y: 25), arrivedAt: Timestamp(milliseconds: 1))
            }
            #expect(left == [false, true, true, false, true])
        }
    }

    @Test("With cascade a building is removed with everything in it")
    func building() throws {
        let after = try edited(.remove(.building(BuildingID("bush")), isCascading: true))
        #expect(after.buildings.isEmpty && after.floors.isEmpty && after.rooms.isEmpty)
        #expect(after.locations.isEmpty && after.connections.isEmpty && after.contents.isEmpty)
        #expect(after.directory.map(\.places) == [[]])
        #expect(Set(after.surveyDiscards.map(\.floor.text)) == ["bush-0", "bush-1"])
        #expect(SiteValidation.faults(in: after).isEmpty)
    }

    @Test("Clearing keeps the place, and clearing again replaces the discard")
    func clearing() throws {
        let once = try edited(.clear(.location(LocationID("desk"))))
        #expect(once.locations == draft.document.locations)
        #expect(once.surveyDiscards.map(\.locations) == [[LocationID("desk")]])
        #expect(once.surveyDiscards.map(\.outline) == [[]])
        let again = try SiteDraft(site: draft.site, revision: 4, document: once).decide(
            .clear(.location(LocationID("desk"))), expectedRevision: nil,
            at: Timestamp(milliseconds: 9_000))
        #expect(again?.document.surveyDiscards.map(\.before.milliseconds) == [9_000])
        #expect(throws: SiteRefusal.notClearable(.zone(ZoneID("show")))) {
            try edited(.clear(.zone(ZoneID("show"))))
        }
    }

    @Test("Locations of a room in sight of each other are joined, once")
    func links() throws {
        // A room around a corner: its two ends are not in sight of each other.
        var document = smallSite()
        document.rooms = [
            RoomRecord(
                id: room, floor: ground, name: "L", kind: "room",
                outline: [[0, 0], [10, 0], [10, 2], [2, 2], [2, 10], [0, 10]])
        ]
        func place(_ id: String, _ x: Double, _ y: Double) -> LocationRecord {
            LocationRecord(id: LocationID(id), floor: ground, room: room, point: [x, y])
        }
        document.locations = [place("right", 9, 1), place("corner", 1, 1), place("up", 1, 9)]
        let draft = SiteDraft(site: SiteID("bush"), revision: 3, document: document)
        let linked = try edited(.linkLocations, draft)
        #expect(
            Set(linked.connections.map(\.id)) == [
                ConnectionID(linking: LocationID("corner"), LocationID("right")),
                ConnectionID(linking: LocationID("up"), LocationID("corner")),
            ])
        #expect(SiteValidation.faults(in: linked).isEmpty)
        let again = SiteDraft(site: draft.site, revision: 3, document: linked)
        #expect(try again.decide(.linkLocations, expectedRevision: nil, at: now) == nil)
        let forced = try edited(.link(LocationID("right"), LocationID("up")), again)
        #expect(forced.connections.count == 3)
        #expect(throws: SiteRefusal.notLinkable(LocationID("up"), LocationID("up"))) {
            try edited(.link(LocationID("up"), LocationID("up")), again)
        }
    }

    @Test("An edit states no fact that does not fit, and leaves those that are there")
    func unfittingFacts() throws {
        var document = draft.document
        document.connections[1].surface = "gravel"
        let draft = SiteDraft(site: SiteID("bush"), revision: 3, document: document)
        func refusal(_ change: (inout ConnectionRecord) -> Void, at index: Int) -> [SiteFault] {
            var edited = document.connections[index]
            change(&edited)
            var whole = document
            whole.connections[index] = edited
            let faults = [SiteEdit.put(edited), .rewrite(whole)].map { edit -> [SiteFault] in
                do throws(SiteRefusal) {
                    _ = try draft.decide(edit, expectedRevision: 3, at: now)
                    return []
                } catch {
                    guard case .invalid(let faults) = error else { return [] }
                    return faults.faults
                }
            }
            #expect(faults[0] == faults[1])
            return faults[0]
        }
        #expect(refusal({ $0.isGlass = true }, at: 0) == [])
        let rail = refusal({ $0.handrail = .left }, at: 0)
        #expect(rail.map(\.code) == [.factUnfitting])
        #expect(rail.map(\.subject) == ["connection door-gc"])
        #expect(refusal({ $0.name = "Lift" }, at: 1) == [])
        #expect(refusal({ $0.surface = "mud" }, at: 1) == [])
        #expect(refusal({ $0.steps = 2 }, at: 1).map(\.code) == [.factUnfitting])
        #expect(throws: SiteRefusal.self) { try document.checkFacts(after: self.draft.document) }
        #expect(throws: Never.self) { try document.checkFacts(after: document) }
        #expect(document.unfittingFacts().map(\.fact) == ["surface"])
        #expect(document.unfittingFacts(after: document) == [])
    }

    @Test("A rise of a grid goes where its way's slope is stated, and is limited by a moved way")
    func rises() throws {
        let way = ConnectionRecord(
            id: ConnectionID("path"), kind: .walk,
            stops: [
                ConnectionStop(floor: nil, point: [20, 0]),
                ConnectionStop(floor: nil, point: [60, 0]),
            ], slope: 0.1, riseMetres: 2)
        var document = draft.document
        document.connections.append(way)
        let draft = SiteDraft(site: SiteID("bush"), revision: 3, document: document)
        func rise(_ change: (inout ConnectionRecord) -> Void) throws -> [Double?] {
            var edited = way
            change(&edited)
            var whole = document
            whole.connections[document.connections.count - 1] = edited
            return try [SiteEdit.put(edited), .rewrite(whole), .replace(whole)].map { edit in
                let after = try draft.decide(edit, expectedRevision: 3, at: now) ?? draft
                let again = try after.decide(edit, expectedRevision: nil, at: now)
                #expect(again == nil, "the same edit once more")
                return after.document.connections.last?.riseMetres
            }
        }
        #expect(try rise { $0.slope = 0.02 } == [nil, nil, 2])
        #expect(try rise { $0.slope = nil } == [nil, nil, 2])
        #expect(try rise { $0.line = [[40, 5]] } == [2, 2, 2], "its ends are where they were")
        #expect(try rise { $0.stops[1].point = [70, 0] } == [2, 2, 2])
        #expect(try rise { $0.stops[1].point = [30, 0] } == [1, 1, 2], "10 % of 10 m")
        #expect(try rise { ($0.kind, $0.stops[1].floor) = (.stairs, ground) } == [nil, nil, 2])
        #expect(try rise { ($0.slope, $0.riseMetres) = (0.02, 0.5) } == [0.5, 0.5, 0.5])
        #expect(try rise { $0.riseMetres = 1 } == [1, 1, 1])
        #expect(try rise { $0.name = "Path" } == [2, 2, 2])
        #expect(try rise { $0.reverse() } == [-2, -2, -2])
        // So does an editor that doesn't know of rises.
        #expect(
            try rise {
                $0.reverse()
                $0.riseMetres = 2
            } == [-2, -2, 2])
    }

    @Test("The same document twice is settled once, whatever the way was before")
    func settledOnce() throws {
        let places: [[Point]] = [
            [[20, 0], [60, 0]], [[60, 0], [20, 0]], [[20, 0], [30, 0]],
        ]
        var ways: [SiteDocument] = []
        for (place, isInside) in places.map({ ($0, false) }) + [(places[0], true)] {
            for slope in [nil, 0.1, -0.1, 0.02] {
                for rise in [nil, 2, -2, 0.5, 1] {
                    var document = draft.document
                    let stops = place.map {
                        ConnectionStop(floor: isInside ? ground : nil, point: $0)
                    }
                    document.connections = [
                        ConnectionRecord(
                            id: ConnectionID("path"), kind: .walk, stops: stops, slope: slope,
                            riseMetres: rise)
                    ]
                    ways.append(document)
                }
            }
        }
        var settledCount = 0
        for former in ways {
            for sent in ways {
                let once = try sent.rewritten(after: former)
                let twice = try sent.rewritten(after: once)
                #expect(twice == once, "\(former.connections), \(sent.connections)")
                if once != sent { settledCount += 1 }
            }
        }
        #expect(settledCount > 100)
    }

    @Test("A comparison lists added, removed and changed records")
    func comparison() throws {
        let before = draft.document
        var after = try edited(.remove(.zone(ZoneID("show")), isCascading: false))
        after.rooms[0].name = "Hall"
        after.buildings.append(
            BuildingRecord(id: BuildingID("b"), name: "B", timeZone: "Europe/London"))
        after.name = "Other"
        let comparison = SiteComparison(
            from: before, to: after)
        #expect(comparison.added == [.building(BuildingID("b"))])
        #expect(comparison.removed == [.zone(ZoneID("show"))])
        #expect(comparison.changed.map(\.thing) == [before.rooms[0].thing])
        #expect(comparison.changed.map(\.fields) == [["name"]])
        #expect(comparison.siteFields == ["name"])
        #expect(
            SiteComparison(from: before, to: before).isEmpty)
    }
}
