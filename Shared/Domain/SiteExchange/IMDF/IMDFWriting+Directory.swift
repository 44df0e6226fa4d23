import Events
import Geometry
import Site

/// Writes anchors, occupants, amenities and geofences.
extension IMDFWriting {
    mutating func writeLocations() {
        var writing = self
        compare(
            \.locations, gone: { writing.remove($0.id) },
            changed: { old, new in
                let point = writing.shapes.geometry(new.point)
                let unit = new.room.map { writing.featureID($0) }
                writing.edit(new.id) { feature in
                    if old.point != new.point { feature.geometry = point }
                    if old.room != new.room { feature["unit_id"] = PropertyValue(unit) }
                }
            },
            added: { location in
                // IMDF requires a unit for each anchor.
                guard let room = location.room else { return }
                writing.add(
                    "anchor", location.id,
                    geometry: writing.shapes.geometry(location.point),
                    ["unit_id": .text(writing.featureID(room)), "address_id": nil])
            })
        self = writing
    }

    mutating func writeDirectory() {
        var writing = self
        compare(
            \.directory, gone: { writing.remove($0.id) },
            changed: { writing.change($0, $1) }, added: { writing.add($0) })
        self = writing
    }

    private mutating func change(_ old: DirectoryEntry, _ new: DirectoryEntry) {
        let label = labels(new.name, new.names)
        let places = self.places(new)
        edit(new.id) { feature in
            if old.name != new.name || old.names != new.names { feature["name"] = label }
            if old.kind != new.kind { feature["category"] = .text(new.kind) }
            if old.openingHours != new.openingHours {
                feature["hours"] = PropertyValue(new.openingHours)
            }
            if old.telephone != new.telephone { feature["phone"] = PropertyValue(new.telephone) }
            if old.website != new.website { feature["website"] = PropertyValue(new.website) }
            guard old.places != new.places, let (property, value) = places else { return }
            feature[property] = value
        }
    }

    /// An entry's places in the form of IMDF: one anchor, or any number of units.
    private func places(_ entry: DirectoryEntry) -> (property: String, PropertyValue)? {
        if entry.places.count == 1, case .location(let location) = entry.places[0] {
            return ("anchor_id", .text(featureID(location)))
        }
        let units = entry.places.compactMap { place -> PropertyValue? in
            if case .room(let room) = place { .text(featureID(room)) } else { nil }
        }
        guard !units.isEmpty, units.count == entry.places.count else { return nil }
        return ("unit_ids", .list(units))
    }

    private mutating func add(_ entry: DirectoryEntry) {
        guard let (property, value) = places(entry) else { return }
        var properties: PropertyValue = [
            "name": labels(entry.name, entry.names), "category": .text(entry.kind),
            "hours": PropertyValue(entry.openingHours), "phone": PropertyValue(entry.telephone),
            "website": PropertyValue(entry.website),
        ]
        properties[property] = value
        properties["correlation_id"] = nil
        guard property == "unit_ids" else {
            properties["validity"] = nil
            return add("occupant", entry.id, geometry: nil, properties)
        }
        guard case .room(let first) = entry.places[0],
            let room = after.rooms.first(where: { $0.id == first }), !room.outline.isEmpty
        else { return }
        properties["alt_name"] = nil
        properties["accessibility"] = nil
        properties["address_id"] = nil
        add("amenity", entry.id, geometry: displayPoint(room.outline), properties)
    }

    mutating func writeZones() {
        var writing = self
        compare(
            \.zones, gone: { writing.remove($0.id) },
            changed: { old, new in
                let label = writing.labels(new.name, new.names)
                let shape = writing.shapes.geometry(outline: new.outline)
                let level = new.floor.map { PropertyValue.text(writing.featureID($0)) }
                let isFence = writing.file(of: new.id) == "geofence"
                writing.edit(new.id) { feature in
                    if old.name != new.name || old.names != new.names { feature["name"] = label }
                    if old.outline != new.outline, !new.outline.isEmpty {
                        feature.geometry = shape
                    }
                    if old.kind != new.kind, isFence {
                        let isKnown = IMDFCategories.geofenceCategories.contains(new.kind)
                        feature["category"] = .text(isKnown ? new.kind : "geofence")
                    }
                    guard old.floor != new.floor else { return }
                    if isFence {
                        feature["level_ids"] = level.map { [$0] } ?? .null
                    } else if let level {
                        feature["level_id"] = level
                    }
                }
            },
            added: { writing.add($0) })
        self = writing
    }

    private mutating func add(_ zone: ZoneRecord) {
        guard !zone.outline.isEmpty else { return }
        let isKnown = IMDFCategories.geofenceCategories.contains(zone.kind)
        add(
            "geofence", zone.id, geometry: shapes.geometry(outline: zone.outline),
            [
                "category": .text(isKnown ? zone.kind : "geofence"), "restriction": nil,
                "name": labels(zone.name, zone.names), "alt_name": nil, "correlation_id": nil,
                "display_point": displayPoint(zone.outline), "building_ids": nil,
                "level_ids": zone.floor.map { [.text(featureID($0))] } ?? nil,
                "parents": nil,
            ])
    }
}
