import Events
public import Site

/// Brings a file that was imported before into the site that people have edited since.
///
/// Records are matched by id and merged field by field: what only the file changed is taken, what people
/// changed or added is kept, and what both changed in different ways stays as people have it and is listed.
/// The same file again changes nothing. All three documents are in the same frame: the site's own, which no
/// file moves.
public struct ImportMerge: Sendable {
    /// The site afterwards; `SiteValidation` has to say whether it may be published.
    public let document: SiteDocument
    public let report: MergeReport

    /// - Parameters:
    ///   - base: the file as it was imported last; nil where it never was.
    ///   - imported: the file as it is now.
    ///   - current: what people have.
    public init(base: SiteDocument?, imported: SiteDocument, current: SiteDocument) {
        var merge = DocumentMerge(base: base, imported: imported, current: current)
        merge.settle()
        document = merge.document
        report = merge.report
    }
}

private struct DocumentMerge {
    private let current: SiteDocument
    private(set) var report = MergeReport()
    private var site: SiteDocument
    private var buildings: RecordMerge<BuildingRecord>
    private var floors: RecordMerge<FloorRecord>
    private var plans: RecordMerge<FloorPlanRecord>
    private var rooms: RecordMerge<RoomRecord>
    private var locations: RecordMerge<LocationRecord>
    private var connections: RecordMerge<ConnectionRecord>
    private var zones: RecordMerge<ZoneRecord>
    private var beacons: RecordMerge<SiteBeacon>
    private var contents: RecordMerge<ContentRecord>
    private var directory: RecordMerge<DirectoryEntry>
    private var accessPoints: RecordMerge<AccessPointPlace>

    init(base: SiteDocument?, imported: SiteDocument, current: SiteDocument) {
        self.current = current
        var report = MergeReport()
        func merged<Record: MergeableRecord>(
            _ path: KeyPath<SiteDocument, [Record]>
        ) -> RecordMerge<Record> {
            RecordMerge(
                base: base?[keyPath: path], imported: imported[keyPath: path],
                current: current[keyPath: path], report: &report)
        }
        site = current
        for field in Self.siteFields {
            if case .conflict(let inFile, let kept) = field.merge(base, imported, &site) {
                report.add(
                    MergeConflict(
                        reason: .bothChanged, kind: "site", id: "", field: field.name,
                        inFile: inFile, kept: kept))
            }
        }
        buildings = merged(\.buildings)
        floors = merged(\.floors)
        plans = merged(\.floorPlans)
        rooms = merged(\.rooms)
        locations = merged(\.locations)
        connections = merged(\.connections)
        zones = merged(\.zones)
        beacons = merged(\.beacons)
        contents = merged(\.contents)
        directory = merged(\.directory)
        accessPoints = merged(\.accessPointPlaces)
        self.report = report
    }

    private static var siteFields: [MergeField<SiteDocument>] {
        [
            MergeField("name", \.name), MergeField("names", languages: \.names),
            MergeField("attribution", \.attribution), MergeField("outline", \.outline),
            MergeField("surveyDiscards", \.surveyDiscards),
            MergeField("accessPoints", \.accessPoints),
        ]
    }

    /// Until nothing names what is not there. What comes back or goes may itself be named, but each record
    /// comes back, is reverted and goes at most once, so this ends.
    mutating func settle() {
        var changed = true
        while changed {
            changed = false
            let known = places(of: document)
            let restorable = restorable
            var missing: Set<PlaceKey> = []
            func settled<Record>(_ records: inout RecordMerge<Record>) {
                if records.settle(
                    known: known, restorable: restorable, missing: &missing, report: &report)
                {
                    changed = true
                }
            }
            settled(&floors)
            settled(&plans)
            settled(&rooms)
            settled(&locations)
            settled(&connections)
            settled(&zones)
            settled(&beacons)
            settled(&contents)
            settled(&directory)
            settled(&accessPoints)
            restore(missing)
        }
        count()
    }

    /// What the file removes and people have: it comes back where it is still named.
    private var restorable: Set<PlaceKey> {
        var keys: Set<PlaceKey> = []
        keys.formUnion(buildings.removed.map { .place(.building(BuildingID($0))) })
        keys.formUnion(floors.removed.map { .place(.floor(FloorID($0))) })
        keys.formUnion(rooms.removed.map { .place(.room(RoomID($0))) })
        keys.formUnion(locations.removed.map { .place(.location(LocationID($0))) })
        keys.formUnion(zones.removed.map { .place(.zone(ZoneID($0))) })
        keys.formUnion(directory.removed.map { .entry(DirectoryID($0)) })
        return keys
    }

    private mutating func restore(_ missing: Set<PlaceKey>) {
        func keys(_ pick: (PlaceReference) -> String?) -> Set<String> {
            Set(
                missing.compactMap { key in
                    if case .place(let place) = key { pick(place) } else { nil }
                })
        }
        let entries = missing.compactMap { key in
            if case .entry(let id) = key { id.text } else { nil }
        }
        buildings.restore(
            keys { if case .building(let id) = $0 { id.text } else { nil } }, report: &report)
        floors.restore(
            keys { if case .floor(let id) = $0 { id.text } else { nil } }, report: &report)
        rooms.restore(
            keys { if case .room(let id) = $0 { id.text } else { nil } }, report: &report)
        locations.restore(
            keys { if case .location(let id) = $0 { id.text } else { nil } }, report: &report)
        zones.restore(
            keys { if case .zone(let id) = $0 { id.text } else { nil } }, report: &report)
        directory.restore(Set(entries), report: &report)
    }

    private func places(of document: SiteDocument) -> Set<PlaceKey> {
        var places: Set<PlaceKey> = []
        places.formUnion(document.buildings.map { .place(.building($0.id)) })
        places.formUnion(document.floors.map { .place(.floor($0.id)) })
        places.formUnion(document.rooms.map { .place(.room($0.id)) })
        places.formUnion(document.locations.map { .place(.location($0.id)) })
        places.formUnion(document.zones.map { .place(.zone($0.id)) })
        places.formUnion(document.directory.map { .entry($0.id) })
        return places
    }

    private mutating func count() {
        if siteDiffers {
            var counts = MergeReport.Counts()
            counts.changed = 1
            report.counts["site"] = counts
        }
        buildings.count(into: &report)
        floors.count(into: &report)
        plans.count(into: &report)
        rooms.count(into: &report)
        locations.count(into: &report)
        connections.count(into: &report)
        zones.count(into: &report)
        beacons.count(into: &report)
        contents.count(into: &report)
        directory.count(into: &report)
        accessPoints.count(into: &report)
    }

    /// Records aside.
    private var siteDiffers: Bool { site != current }

    var document: SiteDocument {
        var document = site
        document.buildings = buildings.merged
        document.floors = floors.merged
        document.floorPlans = plans.merged
        document.rooms = rooms.merged
        document.locations = locations.merged
        document.connections = connections.merged
        document.zones = zones.merged
        document.beacons = beacons.merged
        document.contents = contents.merged
        document.directory = directory.merged
        document.accessPointPlaces = accessPoints.merged
        return document
    }
}
