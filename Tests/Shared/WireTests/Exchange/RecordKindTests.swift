import Access
import Events
import Foundation
import Geometry
import JSON
import Site
import SiteExchange
import Testing
import Wire

/// Tests each kind of record in each place that is derived from `RecordKind.all`.
@Suite struct RecordKindTests {
    /// A site with at least one record of each kind.
    private static let site: SiteDocument = {
        var site = SampleEvents.campus.document
        site.accessPointPlaces = SampleEvents.accessPointSite.document.accessPointPlaces
        site.beacons = SampleEvents.beaconSite.document.beacons.map {
            var beacon = $0
            beacon.floor = site.floors[0].id
            return beacon
        }
        site.scanners = SampleEvents.scannerSite.document.scanners.map {
            var scanner = $0
            scanner.floor = site.floors[0].id
            return scanner
        }
        site.floors[0].visibility = .everybody
        site.rooms[0].visibility = .staff
        site.rooms[0].timetableVisibility = .hidden
        site.rooms[0].isProposed = true
        site.directory[0].visibility = .staff
        site.rooms[0].surface = "carpet"
        site.rooms[0].hasTactilePaving = false
        // No lift and no ramp has all facts.
        for kind in [ConnectionRecord.Kind.door, .stairs] {
            var way = site.connections[1]
            (way.id, way.kind, way.line) = (ConnectionID(kind.rawValue), kind, [])
            if kind == .door { way.stops[0].point = way.stops[1].point }
            site.connections.append(way)
        }
        for index in site.connections.indices {
            site.connections[index].describeToTouch()
        }
        site.removeUnfittingFacts()
        return site
    }()

    private static func count<Record: SiteRecord>(_: Record.Type, _ site: SiteDocument) -> Int {
        site[keyPath: Record.records].count
    }

    private static func things<Record: SiteRecord>(
        _: Record.Type, _ site: SiteDocument
    ) -> [SiteThing] {
        site[keyPath: Record.records].map(\.thing)
    }

    /// The site with no records of the kind.
    private static func without<Record: SiteRecord>(
        _: Record.Type, _ site: SiteDocument
    ) -> SiteDocument {
        var site = site
        site[keyPath: Record.records] = []
        return site
    }

    /// The site with copies of the kind's first record, as many as requested.
    private static func repeating<Record: SiteRecord>(
        _: Record.Type, _ count: Int, _ site: SiteDocument
    ) -> SiteDocument {
        var site = site
        let record = site[keyPath: Record.records][0]
        site[keyPath: Record.records] = Array(repeating: record, count: count)
        return site
    }

    @Test("The sample has a record of each kind, and each list of a document is a kind")
    func sample() {
        for type in RecordKind.all { #expect(Self.count(type, Self.site) > 0, "\(type)") }
        // A document holds its own fields and the lists of its kinds, and nothing else.
        let lists = Set(RecordKind.all.map { "\($0.kind.list)" })
        let own = [
            "name", "names", "attribution", "originLatitude", "originLongitude", "bearingDegrees",
            "outline", "surveyDiscards", "accessPoints", "borrows", "audience", "linkSecret",
        ]
        let stored = Mirror(reflecting: Self.site).children.compactMap(\.label)
        #expect(Set(stored) == lists.union(own))
        #expect(Set(RecordKind.all.map { $0.kind.name }).count == RecordKind.all.count)
    }

    @Test("A record of each kind is written and read, and its members are its fields")
    func written() throws {
        #expect(
            RecordKind.written.map { ObjectIdentifier($0) }
                == RecordKind.all.map { ObjectIdentifier($0) })
        for type in RecordKind.written { try expectWritten(type) }
    }

    private func expectWritten<Record: SiteRecordWire>(_: Record.Type) throws {
        var members: Set<String> = []
        for record in Self.site[keyPath: Record.records] {
            #expect(try Record(json: record.json) == record)
            let text = try JSONSerialization.jsonObject(with: Data(record.json))
            members.formUnion(try #require(text as? [String: Any]).keys)
            #expect(Record.kind.thing(named: record.idText) == record.thing)
            // An answer may be sent back as it is.
            try Record.checkMembers(of: record.answer(in: Self.site))
        }
        let fault = #expect(throws: WireFault.self) {
            try Record.checkMembers(of: Array(#"{"misspelt":1}"#.utf8))
        }
        #expect(fault?.code == .fieldUnknown && fault?.path == "misspelt")
        #expect(members == Record.memberNames, "the sample has every member of \(Record.self)")
        let document = try SiteDocument(json: Self.site.json)
        #expect(document[keyPath: Record.records] == Self.site[keyPath: Record.records])
    }

    @Test("A difference in any field of any kind is named, and merged from a file")
    func fields() throws {
        for type in RecordKind.all { try expectCompared(type) }
    }

    private func expectCompared<Record: SiteRecord>(_: Record.Type) throws {
        let records = Self.site[keyPath: Record.records]
        let gone = Self.without(Record.self, Self.site)
        #expect(SiteComparison(from: Self.site, to: gone).removed == records.map(\.thing))
        #expect(SiteComparison(from: gone, to: Self.site).added == records.map(\.thing))
        var random = RandomEvents(seed: 3)
        let others = (0..<20).flatMap { _ in random.site().document[keyPath: Record.records] }
        var merged = 0
        for other in others {
            for field in Record.fields where !field.isSame(records[0], other) {
                var after = Self.site
                field.copy(other, &after[keyPath: Record.records][0])
                #expect(
                    SiteComparison(from: Self.site, to: after).changed == [
                        .init(thing: records[0].thing, fields: [field.name])
                    ])
                // Random ids may name no record, and such a site is not valid. No merge gives a
                // lift a fact of stairs.
                guard SiteValidation.faults(in: after).isEmpty, after.unfittingFacts().isEmpty
                else { continue }
                let merge = ImportMerge(base: Self.site, imported: after, current: Self.site)
                #expect(merge.document == after)
                merged += 1
            }
        }
        #expect(merged > 0, "some field of \(Record.self) was merged")
        let merge = ImportMerge(base: nil, imported: Self.site, current: gone)
        #expect(merge.report.counts[Record.kind.title]?.added == records.count)
    }

    @Test("A record of each kind can be removed, with what names it")
    func removed() throws {
        for type in RecordKind.all {
            for thing in Self.things(type, Self.site) {
                #expect(Self.site.contains(thing))
                let draft = SiteDraft(site: SiteID("s"), revision: 1, document: Self.site)
                let after = try #require(
                    try draft.decide(
                        .remove(thing, isCascading: true), expectedRevision: nil,
                        at: SampleEvents.moment))
                #expect(!after.document.contains(thing))
                #expect(after.document.dependents(of: thing) == [])
                let dependents = Self.site.dependents(of: thing)
                var refusal: SiteRefusal?
                do throws(SiteRefusal) {
                    _ = try draft.decide(
                        .remove(thing, isCascading: false), expectedRevision: nil,
                        at: SampleEvents.moment)
                } catch {
                    refusal = error
                }
                #expect(refusal == (dependents.isEmpty ? nil : .stillNamed(thing, by: dependents)))
            }
        }
    }

    @Test("The records of each kind can be sorted, and are found by kind and id")
    func ordered() {
        func expectOrdered<Record: SiteRecord>(_: Record.Type) {
            var site = Self.site
            site[keyPath: Record.records].reverse()
            let ordered = site.inOrderOfIDs[keyPath: Record.records].map(\.idText)
            #expect(ordered == ordered.sorted())
            let finder = RecordFactFinder(Self.site)
            for record in Self.site[keyPath: Record.records] {
                #expect(finder.facts(of: record).names == record.allNames)
            }
        }
        for type in RecordKind.all { expectOrdered(type) }
    }

    @Test("A record of each kind goes out as GeoJSON and comes back")
    func exported() throws {
        let collection = GeoJSONExchange.featureCollection(of: Self.site)
        let kinds = Set(collection["features"].list.map { $0["properties"]["record"].text })
        #expect(kinds == Set(RecordKind.all.map { $0.kind.name }))
        let read = try GeoJSONExchange.site(from: collection)
        #expect(read.document == Self.site)
        for type in RecordKind.all where type.kind.shape != .none {
            let shown = collection["features"].list.contains { feature in
                feature["properties"]["record"].text == type.kind.name
                    && !feature["geometry"].isNull
            }
            #expect(shown, "\(type) has a geometry")
        }
    }

    @Test("Archives of IMDF bring back records of each kind")
    func supplemented() throws {
        let archive = IMDFExchange.archive(
            of: Self.site, base: nil, created: "2026-11-22T00:00:00.000Z")
        let read = try IMDFExchange.site(from: archive).document
        #expect(read.inOrderOfIDs == Self.site.inOrderOfIDs)
    }

    @Test("No site has more records of a kind than its limit, or two of one id")
    func limited() {
        for type in RecordKind.all {
            #expect(type.kind.most <= 200_000)
            let twice = Self.repeating(type, 2, Self.site)
            #expect(SiteValidation.faults(in: twice).contains { $0.code == .duplicateIdentifier })
            guard type.kind.most <= 20_000 else { continue }
            let many = Self.repeating(type, type.kind.most + 1, Self.site)
            #expect(SiteValidation.faults(in: many).map(\.code).contains(.tooMany), "\(type)")
        }
    }

    @Test("A record can only name existing records")
    func references() {
        func expectChecked<Record: SiteRecord>(_: Record.Type) {
            for record in Self.site[keyPath: Record.records] {
                for thing in record.references {
                    var alone = Self.site
                    for type in RecordKind.all where type.kind.name == thing.kind {
                        alone = Self.without(type, alone)
                    }
                    alone[keyPath: Record.records] = [record]
                    #expect(!SiteValidation.faults(in: alone).isEmpty, "\(record.thing), \(thing)")
                }
            }
        }
        for type in RecordKind.all { expectChecked(type) }
    }

    @Test("The records of each kind have their paths in the access table")
    func routed() {
        for type in RecordKind.all {
            let list = "/v1/sites/{site}/\(type.kind.path)"
            for (method, path) in [
                ("GET", list), ("GET", "\(list)/{id}"), ("PUT", "\(list)/{id}"),
                ("PATCH", "\(list)/{id}"), ("DELETE", "\(list)/{id}"),
            ] {
                #expect(AccessTable.row(AccessOperation(method, path)) != nil, "\(method) \(path)")
            }
        }
    }
}

extension ConnectionRecord {
    /// States all facts that no sample has.
    fileprivate mutating func describeToTouch() {
        (leads, handrail, hasTactilePaving) = (.down, .both, true)
        (doorKind, opens, isGlass) = (.hinged, .last, false)
        (riseMetres, isOffGround) = (-0.5, true)
    }
}
