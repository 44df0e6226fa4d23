import Events
import Geometry
import Site

/// Turns anchors into locations, and amenities, occupants and attractions into the directory.
/// Geofences, sections and kiosks become zones.
extension IMDFAssembly {
    mutating func addAnchors() {
        for anchor in features("anchor") {
            guard let unit = anchor["unit_id"].text, let room = rooms[identifier(unit)] else {
                dangling(anchor, "unit_id")
                continue
            }
            guard let point = place(anchor.geometry) else {
                report.note(anchor.id, IMDFNote.malformedGeometry, "the point can't be read")
                continue
            }
            document.locations.append(
                LocationRecord(
                    id: LocationID(identifier(anchor.id)), floor: room.floor, room: room.id,
                    point: point))
        }
    }

    mutating func addAmenities() {
        for amenity in features("amenity") {
            let units = amenity["unit_ids"].list.compactMap(\.text)
            let places = units.compactMap { rooms[identifier($0)] }.map {
                PlaceReference.room($0.id)
            }
            if places.count < units.count { dangling(amenity, "unit_ids") }
            add(amenity, places)
        }
        for attraction in features("attraction") {
            let id = identifier(attraction["building_id"].text ?? "")
            guard document.buildings.contains(where: { $0.id.text == id }) else { continue }
            add(attraction, [.building(BuildingID(id))])
        }
    }

    mutating func addOccupants() {
        let anchors = Set(document.locations.map(\.id.text))
        for occupant in features("occupant") {
            var places: [PlaceReference] = []
            if let anchor = occupant["anchor_id"].text.map(identifier) {
                if anchors.contains(anchor) {
                    places = [.location(LocationID(anchor))]
                } else {
                    dangling(occupant, "anchor_id")
                }
            }
            add(occupant, places)
        }
    }

    private mutating func add(_ feature: IMDFFeature, _ places: [PlaceReference]) {
        let named = labels(feature)
        var entry = DirectoryEntry(
            id: DirectoryID(identifier(feature.id)),
            kind: text(feature["category"], of: feature) ?? "",
            name: named?.name ?? "", names: named?.names ?? Translations(),
            places: Array(places.prefix(SiteLimits.placesPerThing)))
        entry.openingHours = text(feature["hours"], of: feature)
        entry.telephone = text(feature["phone"], of: feature)
        if let website = text(feature["website"], of: feature) {
            if website.hasPrefix("https://") || website.hasPrefix("http://") {
                entry.website = website
            } else {
                report.note(feature.id, IMDFNote.factNotKept, "the website is not an http address")
            }
        }
        document.directory.append(entry)
    }

    mutating func addZones() {
        for name in ["geofence", "section", "kiosk"] {
            for feature in features(name) { addZone(feature, name) }
        }
    }

    private mutating func addZone(_ feature: IMDFFeature, _ name: String) {
        let levels =
            feature["level_ids"].list.compactMap(\.text)
            + [feature["level_id"].text].compactMap { $0 }
        let floors = levels.compactMap { floorByID[$0] }
        if floors.count < levels.count { dangling(feature, "level_ids") }
        if floors.count > 1 {
            let detail = "the zone is on the first of its \(floors.count) levels"
            report.note(feature.id, IMDFNote.partsNotKept, detail)
        }
        let outline = area(feature).outline
        guard !outline.isEmpty else { return }
        let named = labels(feature)
        document.zones.append(
            ZoneRecord(
                id: ZoneID(identifier(feature.id)), name: named?.name ?? "",
                names: named?.names ?? Translations(),
                kind: text(feature["category"], of: feature) ?? name, floor: floors.first?.id,
                outline: outline))
    }
}
