import Events
import Geometry
import SeededRandomness
import Site
import Testing
import Wire

/// The changes that the journal of a draft stores, on random sites.
@Suite("Changes of a draft") struct DraftChangeTests {
    private static let now = Timestamp(milliseconds: 1_795_305_600_000)

    private static func edited(_ seed: Int) -> (before: SiteDocument, after: SiteDocument) {
        let before = RandomSite(seed: seed).document
        var edits = RandomEdits(before, seed: seed, author: "a")
        edits.make(1 + seed % 9)
        var after = edits.document
        if seed.isMultiple(of: 3) { after.names.byLanguage["de"] = "Haus" }
        if seed.isMultiple(of: 4) {
            after.surveyDiscards.append(
                SurveyDiscard(
                    floor: after.floors[0].id, outline: [], locations: [LocationID("l")],
                    before: now))
        }
        return (before, after)
    }

    /// The changes as the database gives them back.
    private static func stored(_ changes: [DraftChange]) throws -> [DraftChange] {
        try changes.map { change in
            DraftChange(
                change.thing,
                before: try change.before.map { try DraftValue(json: $0.json, of: change.thing) },
                after: try change.after.map { try DraftValue(json: $0.json, of: change.thing) },
                place: change.place)
        }
    }

    @Test("lead from the former document to the later one, and back", arguments: 0..<300)
    func roundTrip(seed: Int) throws {
        let (before, after) = Self.edited(seed)
        let changes = DraftChange.between(before, after)
        var replayed = before
        replayed.apply(try Self.stored(changes))
        #expect(replayed == after, "seed \(seed)")
        let site = SiteID("site")
        let undone = try SiteDraft(site: site, revision: 7, document: after)
            .undoing(try Self.stored(changes))
        #expect(undone.draft.document == before, "seed \(seed)")
        #expect(undone.draft.revision == 8)
        var back = after
        back.apply(try Self.stored(undone.changes))
        #expect(back == before, "seed \(seed)")
        let redone = try undone.draft.undoing(undone.changes)
        #expect(redone.draft.document == after, "seed \(seed)")
    }

    @Test("show the faults that an edit adds as a check of every record does", arguments: 0..<300)
    func faults(seed: Int) throws {
        let before = RandomSite(seed: seed).document
        var random = SeededRandom(seed: seed)
        let draft = SiteDraft(site: SiteID("site"), revision: 1, document: before)
        for _ in 0..<8 {
            let edit = Self.daringEdit(of: before, &random)
            // The whole draft in place of the edited one is checked as a whole.
            let slow: Result<SiteDocument?, SiteRefusal> = Result { () throws(SiteRefusal) in
                let changed = try Self.changed(before, edit)
                return try draft.step(.rewrite(changed), at: Self.now)?.draft.document
            }
            let quick: Result<SiteDocument?, SiteRefusal> = Result { () throws(SiteRefusal) in
                try draft.step(edit, at: Self.now)?.draft.document
            }
            #expect(quick == slow, "seed \(seed): \(edit)")
        }
    }

    /// An edit that may add a fault.
    private static func daringEdit(
        of document: SiteDocument, _ random: inout SeededRandom
    ) -> SiteEdit {
        let floors = document.floors.map(\.id) + [FloorID("nowhere")]
        let floor = floors.randomElement(using: &random) ?? FloorID("nowhere")
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            var room = document.rooms.randomElement(using: &random)!
            room.floor = floor
            return .put(room)
        case 1:
            var storey = document.floors.randomElement(using: &random)!
            storey.ordinal = Int.random(in: -1...2, using: &random)
            return .put(storey)
        case 2:
            let rooms = document.rooms.map(\.id) + [RoomID("none")]
            return .put(
                LocationRecord(
                    id: LocationID("new"), floor: floor, room: rooms.randomElement(using: &random),
                    point: [1, Double.random(in: 0...200_000, using: &random)]))
        case 3:
            var room = document.rooms.randomElement(using: &random)!
            room.outline = [[0, 0], [2, 2], [2, 0], [0, 2]]
            return .put(room)
        case 4:
            var building = document.buildings.randomElement(using: &random)!
            building.name = String(
                repeating: "x", count: Int.random(in: 300...500, using: &random))
            return .put(building)
        default:
            return .put(
                FloorRecord(
                    id: FloorID("new floor"), building: document.buildings[0].id,
                    ordinal: Int.random(in: 0...400, using: &random), level: "9"))
        }
    }

    private static func changed(
        _ document: SiteDocument, _ edit: SiteEdit
    ) throws(SiteRefusal) -> SiteDocument {
        var changed = document
        func put<Record: SiteRecord>(_ record: Record) {
            let index = changed[keyPath: Record.records].firstIndex { $0.idText == record.idText }
            if let index {
                changed[keyPath: Record.records][index] = record
            } else {
                changed[keyPath: Record.records].append(record)
            }
        }
        if case .put(let record) = edit { put(record) }
        return changed
    }

    @Test("touch members, groups of members and languages")
    func members() {
        typealias Row = (Set<String>?, Set<String>?, Bool)
        let rows: [Row] = [
            (nil, ["name"], true), (nil, nil, true), (["name"], ["kind"], false),
            (["name"], ["name"], true), (["names/de"], ["names/cy"], false),
            (["names/de"], ["names"], true), (["names"], ["names/de"], true),
            (["name"], ["names/de"], false), ([], ["name"], false), ([], nil, true),
        ]
        for (one, other, isSame) in rows {
            #expect(DraftMembers.overlap(one, other) == isSame)
            #expect(DraftMembers.overlap(other, one) == isSame)
        }
        #expect(
            DraftMembers.touched(of: "location", ["x", "name", "id"]) == ["place", "name", "id"])
        #expect(
            DraftMembers.touched(of: "room", ["holes/0", "names/de"]) == ["outline", "names/de"])
        #expect(DraftMembers.touched(of: "site", ["accessPoints/use"]) == ["accessPoints"])
    }

    @Test("conflict only with changes after the revision on which an edit is based")
    func conflicts() {
        let earlier = [
            EarlierChange(revision: 3, members: ["name"]), EarlierChange(revision: 5, members: nil),
            EarlierChange(revision: 8, members: ["kind"]),
        ]
        #expect(earlier.conflicting(with: ["name"], basedOn: 2)?.revision == 5)
        #expect(earlier.conflicting(with: ["name"], basedOn: 5) == nil)
        #expect(earlier.conflicting(with: nil, basedOn: 5)?.revision == 8)
        #expect(earlier.conflicting(with: nil, basedOn: 8) == nil)
        #expect(earlier.conflicting(with: nil, basedOn: nil) == nil)
    }
}
