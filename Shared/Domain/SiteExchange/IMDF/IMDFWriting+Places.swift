import Events
import Geometry
import Site

/// Writes the venue, buildings, levels and units.
extension IMDFWriting {
    mutating func writeVenue(category: String) {
        guard let venue = features("venue").first else { return addVenue(category) }
        let isRenamed = before.name != after.name || before.names != after.names
        let outline = after.outline
        let isReshaped = before.outline != outline && !outline.isEmpty
        let (label, shape) = (labels(after.name, after.names), shapes.geometry(outline: outline))
        edit(feature: venue.id) { feature in
            if isRenamed { feature["name"] = label }
            if isReshaped { feature.geometry = shape }
        }
    }

    private mutating func addVenue(_ category: String) {
        let address = derivedID("venue", "address")
        // IMDF requires an address, which the site may not have.
        add(
            "address", SiteID("venue"), part: "address", geometry: nil,
            [
                "address": .text(after.name), "unit": nil, "locality": .text(after.name),
                "province": nil, "country": "ZZ", "postal_code": nil, "postal_code_ext": nil,
                "postal_code_vanity": nil,
            ])
        let outline = after.outline.isEmpty ? bounds(everything) : after.outline
        add(
            "venue", SiteID("venue"), part: "venue", geometry: shapes.geometry(outline: outline),
            [
                "category": .text(category), "restriction": nil,
                "name": labels(after.name, after.names), "alt_name": nil, "hours": nil,
                "phone": nil, "website": nil, "display_point": displayPoint(outline),
                "address_id": .text(address),
            ])
    }

    /// All points of the site, for its extent.
    private var everything: [Point] {
        let outlines =
            after.buildings.map(\.outline) + after.floors.map(\.outline)
            + after.rooms.map(\.outline)
        return outlines.flatMap(\.corners)
            + after.locations.map(\.point)
            + after.connections.flatMap { $0.stops.map(\.point) }
    }

    /// A rectangle around the points, with a metre's margin.
    private func bounds(_ points: [Point]) -> Ring {
        guard let box = BoundingBox(points.isEmpty ? [Point(x: 0, y: 0)] : points) else {
            return []
        }
        let (low, high) = (box.minimum, box.maximum)
        return [
            [low.x - 1, low.y - 1], [high.x + 1, low.y - 1], [high.x + 1, high.y + 1],
            [low.x - 1, high.y + 1],
        ]
    }

    mutating func writeBuildings() {
        var writing = self
        compare(
            \.buildings, gone: { writing.remove($0.id) },
            changed: { writing.change($0, $1) }, added: { writing.add($0) })
        self = writing
    }

    private mutating func change(_ old: BuildingRecord, _ new: BuildingRecord) {
        let label = labels(new.name, new.names)
        let shape = shapes.geometry(outline: new.outline)
        let isReshaped = old.outline != new.outline
        edit(new.id) { feature in
            if old.name != new.name || old.names != new.names { feature["name"] = label }
            if isReshaped, !feature.geometry.isNull { feature.geometry = shape }
        }
        guard isReshaped else { return }
        let building = PropertyValue.text(featureID(new.id))
        let footprints = features("footprint").filter {
            $0["building_ids"].list.contains(building)
        }
        // The footprint that gave the building its outline at the import.
        let shaping = footprints.first { $0["category"].text == "ground" } ?? footprints.first
        if let shaping {
            edit(feature: shaping.id) { $0.geometry = shape }
        } else {
            addFootprint(new)
        }
    }

    private mutating func add(_ building: BuildingRecord) {
        add(
            "building", building.id, geometry: nil,
            [
                "name": labels(building.name, building.names), "alt_name": nil,
                "category": "unspecified", "restriction": nil,
                "display_point": displayPoint(shape(of: building)), "address_id": nil,
            ])
        addFootprint(building)
    }

    private mutating func addFootprint(_ building: BuildingRecord) {
        let outline = shape(of: building)
        guard !outline.isEmpty else { return }
        add(
            "footprint", building.id, part: "footprint",
            geometry: shapes.geometry(outline: outline),
            [
                "category": "ground", "name": nil,
                "building_ids": [.text(featureID(building.id))],
            ])
    }

    private func shape(of building: BuildingRecord) -> Ring {
        guard building.outline.isEmpty else { return building.outline }
        let floors = after.floors.filter { $0.building == building.id }
        let points = floors.flatMap { shape(of: $0).corners }
        return points.isEmpty ? [] : bounds(points)
    }

    private func shape(of floor: FloorRecord) -> Ring {
        guard floor.outline.isEmpty else { return floor.outline }
        let points = after.rooms.filter { $0.floor == floor.id }
            .flatMap { $0.outline.corners }
        return points.isEmpty ? [] : bounds(points)
    }

    mutating func writeFloors() {
        var writing = self
        compare(
            \.floors, gone: { writing.remove($0.id) },
            changed: { writing.change($0, $1) }, added: { writing.add($0) })
        self = writing
    }

    /// A floor's full name; it is among the floor's names in the archive's language.
    private func names(of floor: FloorRecord) -> PropertyValue {
        var translations = floor.names
        let own = translations.byLanguage.removeValue(forKey: names.language)
        return labels(own ?? (translations.isEmpty ? floor.level : nil), translations)
    }

    private mutating func change(_ old: FloorRecord, _ new: FloorRecord) {
        let label = names(of: new)
        let (sign, shape) = (names.language, shapes.geometry(outline: new.outline))
        let building = featureID(new.building)
        edit(new.id) { feature in
            if old.names != new.names { feature["name"] = label }
            if old.level != new.level {
                var short = feature["short_name"]
                if short.members.isEmpty { short = [:] }
                short[sign] = .text(new.level)
                feature["short_name"] = short
            }
            if old.ordinal != new.ordinal { feature["ordinal"] = .integer(new.ordinal) }
            if old.building != new.building { feature["building_ids"] = [.text(building)] }
            if old.outline != new.outline, !new.outline.isEmpty { feature.geometry = shape }
        }
    }

    private mutating func add(_ floor: FloorRecord) {
        let outline = shape(of: floor)
        add(
            "level", floor.id, geometry: shapes.geometry(outline: outline),
            [
                "category": "unspecified", "restriction": nil, "outdoor": false,
                "ordinal": .integer(floor.ordinal), "name": names(of: floor),
                "short_name": labels(floor.level, Translations()),
                "display_point": displayPoint(outline), "address_id": nil,
                "building_ids": [.text(featureID(floor.building))],
            ])
    }

    mutating func writeRooms() {
        var writing = self
        compare(
            \.rooms, gone: { writing.remove($0.id) },
            changed: { writing.change($0, $1) }, added: { writing.add($0) })
        self = writing
    }

    private mutating func change(_ old: RoomRecord, _ new: RoomRecord) {
        let label = labels(new.name, new.names)
        let shape = shapes.geometry(outline: new.outline, holes: new.holes)
        let level = featureID(new.floor)
        edit(new.id) { feature in
            if old.name != new.name || old.names != new.names { feature["name"] = label }
            if old.kind != new.kind {
                feature["category"] = .text(IMDFCategories.category(ofRoom: new.kind))
            }
            if old.floor != new.floor { feature["level_id"] = .text(level) }
            let isReshaped = old.outline != new.outline || old.holes != new.holes
            if isReshaped, !new.outline.isEmpty { feature.geometry = shape }
            if old.isRestricted != new.isRestricted {
                feature["restriction"] = new.isRestricted ? "restricted" : nil
            }
            if old.accessible != new.accessible { feature.setAccessible(new.accessible) }
        }
    }

    private mutating func add(_ room: RoomRecord) {
        // IMDF requires a shape for each unit.
        guard !room.outline.isEmpty else { return }
        var feature = IMDFFeature([
            "properties": [
                "category": .text(IMDFCategories.category(ofRoom: room.kind)),
                "restriction": room.isRestricted ? "restricted" : nil, "accessibility": nil,
                "name": labels(room.name, room.names), "alt_name": nil,
                "level_id": .text(featureID(room.floor)),
                "display_point": displayPoint(room.outline),
            ]
        ])
        feature.setAccessible(room.accessible)
        add(
            "unit", room.id,
            geometry: shapes.geometry(outline: room.outline, holes: room.holes),
            feature.properties)
    }
}

extension IMDFFeature {
    /// IMDF lists facilities: `wheelchair` is in the list, or it is not.
    mutating func setAccessible(_ accessible: Accessibility) {
        var offers = self["accessibility"].list.filter { $0 != "wheelchair" }
        if accessible == .yes { offers.append("wheelchair") }
        self["accessibility"] = offers.isEmpty ? .null : .list(offers)
    }
}
