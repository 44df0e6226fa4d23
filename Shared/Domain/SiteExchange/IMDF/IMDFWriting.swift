import Events
import Geometry
import Numbers
import Site

/// Writes an archive: the features of an earlier archive, changed where the site has changed since.
struct IMDFWriting {
    /// The earlier archive as a site, in the frame of the current one.
    let before: SiteDocument
    let after: SiteDocument
    let shapes: IMDFShapes
    let names: IMDFNames
    private var archive: IMDFArchive
    private let folder: String
    /// The index of each feature's file, and its index in the file.
    private var places: [String: (file: Int, feature: Int)] = [:]
    private var removed: Set<String> = []

    init(_ base: IMDFArchive, before: SiteDocument, after: SiteDocument, frame: LocalFrame) {
        archive = base
        self.before = before
        self.after = after
        shapes = IMDFShapes(frame: frame)
        names = IMDFNames(language: base.language)
        let manifest = base.files.first { $0.name == "manifest" }?.path ?? ""
        folder = manifest.lastIndex(of: "/").map { String(manifest[...$0]) } ?? ""
        for (file, content) in base.files.enumerated() {
            guard case .features(_, let features) = content.content else { continue }
            for (place, feature) in features.enumerated() where places[feature.id] == nil {
                places[feature.id] = (file, place)
            }
        }
    }

    // MARK: Features

    /// Changes the feature of a record, if the archive has it.
    mutating func edit(_ id: some TextIdentifier, _ change: (inout IMDFFeature) -> Void) {
        edit(feature: featureID(id), change)
    }

    mutating func edit(feature id: String, _ change: (inout IMDFFeature) -> Void) {
        guard let place = places[id],
            case .features(let head, var features) = archive.files[place.file].content
        else { return }
        // Releases the archive's own reference, so that the change does not copy all features.
        archive.files[place.file].content = .value(.null)
        change(&features[place.feature])
        archive.files[place.file].content = .features(head: head, features)
    }

    /// Adds the feature of a record to its file. Creates the file if there is none.
    ///
    /// - Parameter part: the part of the record that the feature stands for; nil for the record
    ///   itself.
    mutating func add(
        _ name: String, _ record: some TextIdentifier, part: String? = nil,
        geometry: PropertyValue, _ properties: PropertyValue
    ) {
        let id = part.map { derivedID(record.text, $0) } ?? featureID(record)
        var properties = properties
        if part == nil, id != record.text {
            properties[IMDFFeature.ownIdentifier] = .text(record.text)
        }
        let feature = IMDFFeature([
            "id": .text(id), "type": "Feature", "feature_type": .text(name),
            "geometry": geometry, "properties": properties,
        ])
        let file: Int
        if let known = archive.files.firstIndex(where: { file in
            if case .features = file.content { file.name == name } else { false }
        }) {
            file = known
        } else {
            file = archive.files.count
            let head: PropertyValue = ["type": "FeatureCollection", "name": .text(name)]
            archive.files.append(
                IMDFArchive.File(
                    path: "\(folder)\(name).geojson", content: .features(head: head, [])))
        }
        guard case .features(let head, var features) = archive.files[file].content else { return }
        archive.files[file].content = .value(.null)
        places[id] = (file, features.count)
        features.append(feature)
        archive.files[file].content = .features(head: head, features)
    }

    mutating func remove(_ id: some TextIdentifier) { removed.insert(featureID(id)) }

    func has(_ id: some TextIdentifier) -> Bool { places[featureID(id)] != nil }

    func file(of id: some TextIdentifier) -> String? {
        places[featureID(id)].map { archive.files[$0.file].name }
    }

    func features(_ name: String) -> [IMDFFeature] { archive.features(name) }

    // MARK: Records

    /// Calls a closure for each removed, changed and new record of a kind.
    func compare<Record: SiteRecord>(
        _ path: KeyPath<SiteDocument, [Record]>, gone: (Record) -> Void,
        changed: (_ old: Record, _ new: Record) -> Void, added: (Record) -> Void
    ) {
        var old: [String: Record] = [:]
        for record in before[keyPath: path] { old[record.idText] = record }
        for record in after[keyPath: path] {
            guard let earlier = old.removeValue(forKey: record.idText) else {
                added(record)
                continue
            }
            if earlier != record { changed(earlier, record) }
        }
        for record in before[keyPath: path] where old[record.idText] != nil { gone(record) }
    }

    /// The id of a record's feature. It is the record's own if that is a UUID, which IMDF requires.
    func featureID<Identifier: TextIdentifier>(_ id: Identifier) -> String {
        EventID(id.text) == nil ? derivedID(id.text, "\(Identifier.self)") : id.text
    }

    /// A UUID computed from a text (RFC 9562, version 8); the same text always gives the same UUID.
    func derivedID(_ text: String, _ part: String) -> String {
        let bytes = "\(part)/\(text)".utf8
        let high = FNV1a.hash(bytes)
        let low = FNV1a.hash(bytes.map { $0 &+ 85 }, from: 0x8422_2325_cbf2_9ce4)
        return EventID(
            high: high & ~0xF000 | 0x8000, low: low & ~(0b11 << 62) | (0b10 << 62)
        ).description
    }

    func labels(_ name: String?, _ translations: Translations) -> PropertyValue {
        names.labels(name, translations)
    }

    /// A point within the outline, for labels.
    func displayPoint(_ outline: Ring) -> PropertyValue {
        guard let polygon = outline.polygon else { return .null }
        let centre = polygon.centroid
        return shapes.geometry(polygon.contains(centre) ? centre : polygon.corners[0])
    }

    // MARK: The end

    /// Removes the features of removed records, and their ids in other features.
    consuming func finish() -> IMDFArchive {
        guard !removed.isEmpty else { return archive }
        let single = ["building_id", "unit_id", "anchor_id"]
        let several = ["building_ids", "unit_ids", "level_ids", "neighbours"]
        for index in archive.files.indices {
            guard case .features(let head, let features) = archive.files[index].content else {
                continue
            }
            var kept: [IMDFFeature] = []
            for var feature in features where !removed.contains(feature.id) {
                if let level = feature["level_id"].text, removed.contains(level) { continue }
                for name in single {
                    if let id = feature[name].text, removed.contains(id) { feature[name] = .null }
                }
                for name in several {
                    let list = feature[name].list
                    let left = list.filter { !removed.contains($0.text ?? "") }
                    if left.count < list.count { feature[name] = .list(left) }
                }
                let isEmpty = feature["building_ids"] == .list([])
                if isEmpty, archive.files[index].name == "footprint" { continue }
                kept.append(feature)
            }
            archive.files[index].content = .features(head: head, kept)
        }
        return archive
    }
}
