import Events
import Geometry
internal import JSON
public import Site
public import SiteExchange

/// Sites as a FeatureCollection of GeoJSON (RFC 7946) and back, without loss.
///
/// Each record is a feature. Its `properties` are the record as in the site's own document, with
/// `record` as the name of its kind; its geometry shows it in WGS84. The member `site` beside the
/// features holds everything that is no feature.
///
/// Metres and degrees give the same place twice. Where the degrees are unchanged since the export,
/// the metres count. Where another program moved the shape, the degrees count. Files made by hand
/// need `record`, `id`, `floor` and a geometry only.
public enum GeoJSONExchange {
    // MARK: Out

    public static func featureCollection(of site: SiteDocument) -> PropertyValue {
        var document = (try? PropertyValue(json: site.json)) ?? [:]
        let shapes = GeoJSONShapes(
            frame: site.frame)
        var features: [PropertyValue] = []
        for type in RecordKind.objects {
            for value in listed(type.kind, in: document) {
                features.append([
                    "type": "Feature", "id": value["\(type.kind.key.member)"],
                    "geometry": shapes.geometry(of: type.kind, value),
                    "properties": .members(
                        [.init("record", .text(type.kind.name))] + value.members),
                ])
            }
            set(type.kind, nil, in: &document)
        }
        var members: [PropertyValue.Member] = [
            .init("type", .text("FeatureCollection")), .init("name", .text(site.name)),
        ]
        // Programs that read only the shapes find the attribution here.
        if let attribution = site.attribution {
            members.append(.init("attribution", .text(attribution)))
        }
        members += [.init("site", document), .init("features", .list(features))]
        return .members(members)
    }

    /// The records of a kind in a site's document.
    private static func listed(_ kind: RecordKind, in document: PropertyValue) -> [PropertyValue] {
        guard let nested = kind.nested else { return document["\(kind.list)"].list }
        return document["\(nested.member)"]["\(nested.list)"].list
    }

    private static func set(
        _ kind: RecordKind, _ values: [PropertyValue]?, in document: inout PropertyValue
    ) {
        guard let nested = kind.nested else {
            document.set("\(kind.list)", values.map { .list($0) })
            return
        }
        var outer = document["\(nested.member)"]
        guard values?.isEmpty == false || !outer.isNull else { return }
        outer.set("\(nested.list)", values.map { .list($0) })
        document.set("\(nested.member)", outer.members.isEmpty ? nil : outer)
    }

    /// The name under which reports count the records of a kind.
    private static func counted(_ kind: RecordKind) -> String {
        "\(kind.nested?.list ?? kind.list)"
    }

    // MARK: In

    public static func site(
        from collection: PropertyValue, _ options: ImportOptions = .init()
    ) throws(ImportRefusal) -> ImportedSite {
        guard collection["type"].text == "FeatureCollection",
            case .list(let features) = collection["features"]
        else { throw ImportRefusal(.malformed, "the file is not a FeatureCollection") }
        var report = ImportReport()
        var document = collection["site"]
        if document.members.isEmpty { document = [:] }
        if document["name"].isNull {
            document["name"] = .text(
                options.name ?? options.usualName ?? collection["name"].text ?? "Site")
        }
        let frame = try frame(document, features, options)
        document["origin"] = [
            "latitude": PropertyValue(frame.origin.latitude),
            "longitude": PropertyValue(frame.origin.longitude),
        ]
        document["bearingDegrees"] = PropertyValue(frame.bearingDegrees)
        let shapes = GeoJSONShapes(frame: frame)
        let lists = records(of: features, shapes, options, &report)
        for type in RecordKind.objects {
            set(type.kind, lists[type.kind.name] ?? [], in: &document)
        }
        let site: SiteDocument
        do throws(WireFault) {
            site = try SiteDocument(json: document.json)
        } catch {
            throw ImportRefusal(.malformed, error.detail)
        }
        for type in RecordKind.objects {
            report.count(counted(type.kind), lists[type.kind.name]?.count ?? 0)
        }
        guard lists.values.contains(where: { !$0.isEmpty }) else {
            throw nothingToImport
        }
        return try ImportedSite(document: site, report: report).checked()
    }

    private static var nothingToImport: ImportRefusal {
        let known = RecordKind.objects.map { $0.kind.name }.joined(separator: ", ")
        return ImportRefusal(
            .nothingToImport,
            "no feature is a record of a site: give each a property record with one of "
                + known)
    }

    /// Whether the file holds only a part of a site: a FeatureCollection with neither buildings nor
    /// floors.
    public static func isPart(_ collection: PropertyValue) -> Bool {
        guard case .list(let features) = collection["features"] else { return false }
        return !features.contains { feature in
            let record = feature["properties"]["record"].text
            return record == BuildingRecord.kind.name || record == FloorRecord.kind.name
        }
    }

    /// The site with the records of a part. Records with the same id are replaced, others are
    /// added, and all others stay, as with a table.
    public static func site(
        _ site: SiteDocument, with part: PropertyValue, _ options: ImportOptions = .init()
    ) throws(ImportRefusal) -> ImportedSite {
        guard part["type"].text == "FeatureCollection",
            case .list(let features) = part["features"]
        else { throw ImportRefusal(.malformed, "the file is not a FeatureCollection") }
        var report = ImportReport()
        let lists = records(
            of: features, GeoJSONShapes(frame: site.frame), options, &report)
        guard lists.values.contains(where: { !$0.isEmpty }) else { throw nothingToImport }
        guard var document = try? PropertyValue(json: site.json) else {
            throw ImportRefusal(.malformed, "the site can't be read")
        }
        for type in RecordKind.objects {
            guard let more = lists[type.kind.name], !more.isEmpty else { continue }
            let key = "\(type.kind.key.member)"
            var values = listed(type.kind, in: document)
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
            set(type.kind, values, in: &document)
            report.count(counted(type.kind), more.count)
        }
        let changed: SiteDocument
        do throws(WireFault) {
            changed = try SiteDocument(json: document.json)
        } catch {
            throw ImportRefusal(.malformed, error.detail)
        }
        return try ImportedSite(document: changed, report: report).checked(after: site)
    }

    /// The features by their kind. Features of unknown kinds and unknown properties are left out,
    /// with a note.
    private static func records(
        of features: [PropertyValue], _ shapes: GeoJSONShapes, _ options: ImportOptions,
        _ report: inout ImportReport
    ) -> [String: [PropertyValue]] {
        var lists: [String: [PropertyValue]] = [:]
        for (index, feature) in features.enumerated() {
            let name = String((feature["id"].text ?? "\(index)").prefix(64))
            let record = feature["properties"]["record"].text
            guard let type = RecordKind.objects.first(where: { $0.kind.name == record }) else {
                report.note(
                    name, .init(rawValue: "unknown-record"),
                    "the property record names no kind of record that a site has")
                continue
            }
            let known = type.memberNames
            let unknown = feature["properties"].members.map(\.name).filter {
                $0 != "record" && !known.contains($0)
            }
            if !unknown.isEmpty {
                let names = unknown.prefix(5).joined(separator: ", ")
                report.note(
                    name, .init(rawValue: "unknown-property"),
                    "a \(type.kind.name) has no \(names), so they are left out")
            }
            lists[type.kind.name, default: []].append(
                shapes.record(type, feature, timeZone: options.timeZone))
        }
        return lists
    }

    private static func frame(
        _ document: PropertyValue, _ features: [PropertyValue], _ options: ImportOptions
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
            throw ImportRefusal(
                .malformed, "no feature has a usable geometry, so the site has no origin: add one")
        }
        return LocalFrame(
            originLatitude: middle.latitude, originLongitude: middle.longitude, bearingDegrees: 0)
    }
}

extension PropertyValue {
    /// Sets a member; nil removes it.
    fileprivate mutating func set(_ name: String, _ value: PropertyValue?) {
        if let value {
            self[name] = value
        } else {
            self = .members(members.filter { $0.name != name })
        }
    }
}
