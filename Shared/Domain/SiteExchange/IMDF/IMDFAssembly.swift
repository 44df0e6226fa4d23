import Events
import Geometry
import Site

/// Assembles a site from an archive. It reads the features kind by kind, so that each kind finds
/// those that it refers to.
struct IMDFAssembly {
    let archive: IMDFArchive
    let shapes: IMDFShapes
    let names: IMDFNames
    let timeZone: String
    var report = ImportReport()
    var document: SiteDocument
    /// The ids of all records so far, of any kind.
    private var taken: Set<String> = []
    /// The record's id for each feature whose own id differs.
    private var identifiers: [String: String] = [:]
    /// The floor of each level's id; set by `addLevels`, as are the outlines of floors. `addUnits`
    /// sets the rooms.
    var floorByID: [String: FloorRecord] = [:]
    var levelOutlines: [FloorID: Polygon] = [:]
    var rooms = IMDFRooms()
    /// Rooms of lifts and stairs that the archive itself connects.
    var climbed: Set<RoomID> = []

    init(_ archive: IMDFArchive, frame: LocalFrame, timeZone: String) {
        self.archive = archive
        self.timeZone = timeZone
        shapes = IMDFShapes(frame: frame)
        names = IMDFNames(language: archive.language)
        document = SiteDocument(
            name: "", originLatitude: frame.origin.latitude,
            originLongitude: frame.origin.longitude, bearingDegrees: frame.bearingDegrees)
    }

    // MARK: Reading features

    /// The features of a file that have a unique id.
    mutating func features(_ name: String) -> [IMDFFeature] {
        archive.features(name).filter { feature in
            guard EventID(feature.id) != nil else {
                let shown = String(cleaned(feature.id).prefix(64))
                report.note(shown, IMDFNote.malformedIdentifier, "a \(name)'s id is not a UUID")
                return false
            }
            guard taken.insert(feature.id).inserted else {
                report.note(feature.id, IMDFNote.duplicateIdentifier, "this id was used before")
                return false
            }
            if let own = feature[IMDFFeature.ownIdentifier].text, isWellFormedIdentifier(own) {
                identifiers[feature.id] = own
            }
            return true
        }
    }

    /// The id of a feature's record. It differs from the feature's own if the archive was made from
    /// a site whose ids are no UUIDs.
    func identifier(_ feature: String) -> String { identifiers[feature] ?? feature }

    /// The text in a form that a site accepts; nil if there is none.
    mutating func text(_ value: PropertyValue, of feature: IMDFFeature) -> String? {
        guard let text = value.text else { return nil }
        let kept = cleaned(text)
        if kept != text {
            report.note(feature.id, IMDFNote.textShortened, "a text is too long or unprintable")
        }
        return kept.isEmpty ? nil : kept
    }

    mutating func labels(
        _ feature: IMDFFeature, _ property: String = "name"
    ) -> (name: String, names: Translations)? {
        let value = feature[property]
        for text in [value.text ?? ""] + value.members.compactMap(\.value.text)
        where cleaned(text) != text {
            report.note(feature.id, IMDFNote.textShortened, "a name is too long or unprintable")
        }
        return names.read(value)
    }

    /// The outline of the largest part of a feature's shape, with its holes. It has no corners if
    /// the site can't use the shape.
    mutating func area(_ feature: IMDFFeature) -> IMDFShapes.Area {
        var empty = IMDFShapes.Area(outline: [], holes: [])
        guard !feature.geometry.isNull else { return empty }
        guard let areas = shapes.areas(feature.geometry), let largest = areas.first else {
            report.note(feature.id, IMDFNote.malformedGeometry, "the shape can't be read")
            return empty
        }
        if areas.count > 1 {
            let detail = "only the largest of \(areas.count) parts is in the site"
            report.note(feature.id, IMDFNote.partsNotKept, detail)
        }
        guard isGood(largest.outline, of: feature), let outline = largest.outline.polygon else {
            return empty
        }
        empty.outline = largest.outline
        // The tolerance is ten times the rounding of corners, so that a hole may touch the outline.
        empty.holes = largest.holes.prefix(SiteLimits.holesPerRoom).filter { hole in
            isGood(hole, of: feature)
                && hole.corners.allSatisfy { outline.distance(from: $0) < 0.001 }
        }
        return empty
    }

    private mutating func isGood(_ ring: Ring, of feature: IMDFFeature) -> Bool {
        guard ring.corners.count <= SiteLimits.cornersPerRoom else {
            report.note(
                feature.id, IMDFNote.tooManyPoints, "\(ring.corners.count) corners are too many")
            return false
        }
        guard let polygon = ring.polygon,
            ring.corners.allSatisfy({ inBounds($0) != nil })
        else {
            report.note(feature.id, IMDFNote.malformedGeometry, "the outline has no area")
            return false
        }
        guard polygon.isSimple else {
            let detail = "the outline crosses or touches itself, so the shape is left out"
            report.note(feature.id, IMDFNote.outlineCrossesItself, detail)
            return false
        }
        return true
    }

    /// The point of the geometry; nil if it is outside the site's limits.
    func place(_ geometry: PropertyValue) -> Point? { inBounds(shapes.place(geometry)) }

    func inBounds(_ point: Point?) -> Point? {
        guard let point, abs(point.x) <= SiteLimits.coordinateMetres,
            abs(point.y) <= SiteLimits.coordinateMetres
        else { return nil }
        return point
    }

    mutating func dangling(_ feature: IMDFFeature, _ property: String) {
        let detail = "\(property) names a feature that the site lacks"
        report.note(feature.id, IMDFNote.danglingReference, detail)
    }

    // MARK: The end

    /// The document, if it may be published.
    consuming func finish() throws(ImportRefusal) -> ImportedSite {
        guard !document.floors.isEmpty || !document.buildings.isEmpty else {
            throw ImportRefusal(.nothingToImport, "the archive has no building and no level")
        }
        for (name, count) in archive.featureCounts { report.count(name, count) }
        report.count("buildings", document.buildings.count)
        report.count("floors", document.floors.count)
        report.count("rooms", document.rooms.count)
        report.count("locations", document.locations.count)
        report.count("zones", document.zones.count)
        report.count("directory", document.directory.count)
        for connection in document.connections { report.count(connection.kind.rawValue) }
        return try ImportedSite(document: document.inOrderOfIDs, report: report).checked()
    }
}
