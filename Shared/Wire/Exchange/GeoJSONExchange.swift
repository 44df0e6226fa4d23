import Events
public import Geometry
internal import JSON
public import Site
public import SiteExchange

/// Sites as a FeatureCollection of GeoJSON (RFC 7946) and back, without loss.
///
/// Each record is a feature: `properties` are the record as in the site's own document, with `record` saying
/// what it is, and the geometry shows it in WGS84. Metres and degrees say the same twice: whoever moves a
/// shape in another program moves the record, and where the degrees are as they were written, the metres count.
/// The member `site` beside the features holds what is no feature. Files made by hand need `record`, `id` and
/// `floor` only, and a geometry.
public enum GeoJSONExchange {
    public struct Options: Sendable {
        /// For a file without a name of its own.
        public var siteName: String?
        /// Of buildings that say none.
        public var timeZone: String
        /// Of a file that says none: the site that it goes into, or the middle of what is in the file.
        public var frame: LocalFrame?

        public init(
            siteName: String? = nil, timeZone: String = "Etc/UTC", frame: LocalFrame? = nil
        ) {
            self.siteName = siteName
            self.timeZone = timeZone
            self.frame = frame
        }
    }

    /// The lists of a site's document, and what a feature of each is called.
    static let records: [(list: String, record: String)] = [
        ("buildings", "building"), ("floors", "floor"),
        ("floorPlans", "floor-plan"), ("rooms", "room"), ("locations", "location"),
        ("connections", "connection"), ("zones", "zone"), ("beacons", "beacon"),
        ("contents", "content"), ("directory", "directory-entry"),
        ("places", "access-point"),
    ]

    // MARK: Out

    public static func featureCollection(of site: SiteDocument) -> PropertyValue {
        var document = (try? PropertyValue(json: site.json)) ?? [:]
        let shapes = GeoJSONShapes(
            frame: site.frame)
        var features: [PropertyValue] = []
        for (list, record) in records {
            for value in listed(list, in: document) {
                features.append([
                    "type": "Feature", "id": value[record == "access-point" ? "address" : "id"],
                    "geometry": shapes.geometry(of: record, value),
                    "properties": .members([.init("record", .text(record))] + value.members),
                ])
            }
            set(list, nil, in: &document)
        }
        var members: [PropertyValue.Member] = [
            .init("type", .text("FeatureCollection")), .init("name", .text(site.name)),
        ]
        // Also where those look who read no more than the shapes.
        if let attribution = site.attribution {
            members.append(.init("attribution", .text(attribution)))
        }
        members += [.init("site", document), .init("features", .list(features))]
        return .members(members)
    }

    /// Places of access points lie within the rules for them.
    private static func listed(_ list: String, in document: PropertyValue) -> [PropertyValue] {
        list == "places" ? document["accessPoints"]["places"].list : document[list].list
    }

    private static func set(
        _ list: String, _ values: [PropertyValue]?, in document: inout PropertyValue
    ) {
        guard list != "places" else {
            var rules = document["accessPoints"]
            guard values?.isEmpty == false || !rules.isNull else { return }
            rules.set("places", values.map { .list($0) })
            document.set("accessPoints", rules.members.isEmpty ? nil : rules)
            return
        }
        document.set(list, values.map { .list($0) })
    }

    // MARK: In

    public static func site(
        from collection: PropertyValue, _ options: Options = Options()
    ) throws(ImportRefusal) -> ImportedSite {
        guard collection["type"].text == "FeatureCollection",
            case .list(let features) = collection["features"]
        else { throw ImportRefusal(.malformed, "the file is no FeatureCollection") }
        var report = ImportReport()
        var document = collection["site"]
        if document.members.isEmpty { document = [:] }
        if document["name"].isNull {
            document["name"] = .text(options.siteName ?? collection["name"].text ?? "Site")
        }
        let frame = try frame(document, features, options)
        document["origin"] = [
            "latitude": PropertyValue(frame.origin.latitude),
            "longitude": PropertyValue(frame.origin.longitude),
        ]
        document["bearingDegrees"] = PropertyValue(frame.bearingDegrees)
        let shapes = GeoJSONShapes(frame: frame)
        let lists = records(of: features, shapes, options, &report)
        for (list, record) in records { set(list, lists[record] ?? [], in: &document) }
        let site: SiteDocument
        do throws(WireFault) {
            site = try SiteDocument(json: document.json)
        } catch {
            throw ImportRefusal(.malformed, error.detail)
        }
        for (list, record) in records { report.count(list, lists[record]?.count ?? 0) }
        guard lists.values.contains(where: { !$0.isEmpty }) else {
            throw nothingToImport
        }
        return try ImportedSite(document: site, report: report).checked()
    }

    private static var nothingToImport: ImportRefusal {
        let known = records.map(\.record).joined(separator: ", ")
        return ImportRefusal(
            .nothingToImport,
            "no feature is a record of a site: each says in its property record what it is, one of "
                + known)
    }

    /// Whether the file says a part of a site only: a FeatureCollection with neither buildings nor floors.
    public static func isPart(_ collection: PropertyValue) -> Bool {
        guard case .list(let features) = collection["features"] else { return false }
        return !features.contains { feature in
            let record = feature["properties"]["record"].text
            return record == "building" || record == "floor"
        }
    }

    /// The site with what a part says: records of its ids are replaced, others are added, and all that it
    /// does not name stays, as with a table.
    public static func site(
        _ site: SiteDocument, with part: PropertyValue, _ options: Options = Options()
    ) throws(ImportRefusal) -> ImportedSite {
        guard part["type"].text == "FeatureCollection",
            case .list(let features) = part["features"]
        else { throw ImportRefusal(.malformed, "the file is no FeatureCollection") }
        var report = ImportReport()
        let lists = records(
            of: features, GeoJSONShapes(frame: site.frame), options, &report)
        guard lists.values.contains(where: { !$0.isEmpty }) else { throw nothingToImport }
        guard var document = try? PropertyValue(json: site.json) else {
            throw ImportRefusal(.malformed, "the site can't be read")
        }
        for (list, record) in records {
            guard let more = lists[record], !more.isEmpty else { continue }
            let key = record == "access-point" ? "address" : "id"
            var values = listed(list, in: document)
            var places: [String: Int] = [:]
            for (index, value) in values.enumerated() { places[value[key].text ?? ""] = index }
            for value in more {
                if let place = places[value[key].text ?? ""] {
                    values[place] = value
                } else {
                    places[value[key].text ?? ""] = values.count
                    values.append(value)
                }
            }
            set(list, values, in: &document)
            report.count(list, more.count)
        }
        let changed: SiteDocument
        do throws(WireFault) {
            changed = try SiteDocument(json: document.json)
        } catch {
            throw ImportRefusal(.malformed, error.detail)
        }
        return try ImportedSite(document: changed, report: report).checked()
    }

    /// The features by what they are; what is none is noted, and so are properties that are left out.
    private static func records(
        of features: [PropertyValue], _ shapes: GeoJSONShapes, _ options: Options,
        _ report: inout ImportReport
    ) -> [String: [PropertyValue]] {
        var lists: [String: [PropertyValue]] = [:]
        for (index, feature) in features.enumerated() {
            let name = String((feature["id"].text ?? "\(index)").prefix(64))
            guard let record = feature["properties"]["record"].text,
                let list = records.first(where: { $0.record == record })?.list
            else {
                report.note(
                    name, .init(rawValue: "unknown-record"),
                    "the property record says nothing that a site has")
                continue
            }
            if let known = SiteMembers.ofRecord[list] {
                let unknown = feature["properties"].members.map(\.name).filter {
                    $0 != "record" && !known.contains($0)
                }
                if !unknown.isEmpty {
                    report.note(
                        name, .init(rawValue: "unknown-property"),
                        "a \(record) has no \(unknown.prefix(5).joined(separator: ", ")): left out")
                }
            }
            lists[record, default: []].append(
                shapes.record(record, feature, timeZone: options.timeZone))
        }
        return lists
    }

    private static func frame(
        _ document: PropertyValue, _ features: [PropertyValue], _ options: Options
    ) throws(ImportRefusal) -> LocalFrame {
        if let latitude = document["origin"]["latitude"].number,
            let longitude = document["origin"]["longitude"].number
        {
            return LocalFrame(
                originLatitude: latitude, originLongitude: longitude,
                bearingDegrees: document["bearingDegrees"].number ?? 0)
        }
        if let frame = options.frame { return frame }
        guard let middle = GeoJSONShapes.middle(of: features) else {
            throw ImportRefusal(.malformed, "no feature lies anywhere, so the site has no origin")
        }
        return LocalFrame(
            originLatitude: middle.latitude, originLongitude: middle.longitude, bearingDegrees: 0)
    }
}

extension PropertyValue {
    /// Sets a member, or removes it.
    fileprivate mutating func set(_ name: String, _ value: PropertyValue?) {
        if let value {
            self[name] = value
        } else {
            self = .members(members.filter { $0.name != name })
        }
    }
}
