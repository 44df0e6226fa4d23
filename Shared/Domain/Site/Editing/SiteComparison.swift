import Events

/// What is different between two versions of a site, record by record.
public struct SiteComparison: Hashable, Sendable {
    /// A record that both have, but not alike.
    public struct Change: Hashable, Sendable {
        public var thing: SiteThing
        /// The members that differ, as the caller names them; sorted.
        public var fields: [String]

        public init(thing: SiteThing, fields: [String]) {
            self.thing = thing
            self.fields = fields
        }
    }

    public var added: [SiteThing] = []
    public var removed: [SiteThing] = []
    public var changed: [Change] = []
    /// What is different of the site itself: its name, its frame, its rules and discarded surveys.
    public var siteFields: [String] = []

    public var isEmpty: Bool {
        added.isEmpty && removed.isEmpty && changed.isEmpty && siteFields.isEmpty
    }

    /// - Parameters:
    ///   - fields: the names of the members in which two records of one kind differ.
    ///   - siteFields: the same for two documents without their records.
    public init(
        from old: SiteDocument, to new: SiteDocument,
        fields: (any SiteRecord, any SiteRecord) -> [String],
        siteFields: (SiteDocument, SiteDocument) -> [String]
    ) {
        compare(old.buildings, new.buildings, fields)
        compare(old.floors, new.floors, fields)
        compare(old.floorPlans, new.floorPlans, fields)
        compare(old.rooms, new.rooms, fields)
        compare(old.locations, new.locations, fields)
        compare(old.connections, new.connections, fields)
        compare(old.zones, new.zones, fields)
        compare(old.beacons, new.beacons, fields)
        compare(old.accessPointPlaces, new.accessPointPlaces, fields)
        compare(old.contents, new.contents, fields)
        compare(old.directory, new.directory, fields)
        self.siteFields = siteFields(old.withoutRecords, new.withoutRecords)
    }

    private mutating func compare<Record: SiteRecord>(
        _ old: [Record], _ new: [Record],
        _ fields: (any SiteRecord, any SiteRecord) -> [String]
    ) {
        guard old != new else { return }
        let before = Dictionary(old.map { ($0.thing, $0) }) { first, _ in first }
        let after = Set(new.map(\.thing))
        removed += old.map(\.thing).filter { !after.contains($0) }
        for record in new {
            guard let known = before[record.thing] else {
                added.append(record.thing)
                continue
            }
            if known != record {
                changed.append(Change(thing: record.thing, fields: fields(known, record)))
            }
        }
    }
}

extension SiteDocument {
    /// The document with its own members alone.
    public var withoutRecords: SiteDocument {
        SiteDocument(
            name: name, names: names, attribution: attribution, originLatitude: originLatitude,
            originLongitude: originLongitude, bearingDegrees: bearingDegrees, outline: outline,
            surveyDiscards: surveyDiscards, accessPoints: accessPoints)
    }
}
