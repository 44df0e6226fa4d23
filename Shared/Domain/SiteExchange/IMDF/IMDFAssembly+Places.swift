import Events
import Geometry
import Site

/// Reads the venue, its buildings, levels and units.
extension IMDFAssembly {
    mutating func addVenue(_ venue: IMDFFeature) {
        if let (name, names) = labels(venue) {
            document.name = name
            document.names = names
        }
        document.outline = area(venue).outline
    }

    mutating func addBuildings() {
        var footprints: [String: IMDFFeature] = [:]
        // A footprint of category ground is the best outline of a building; any other is second
        // best.
        for footprint in features("footprint") {
            for id in footprint["building_ids"].list.compactMap(\.text) {
                let isBetter =
                    footprint["category"].text == "ground"
                    && footprints[id]?["category"].text != "ground"
                if footprints[id] == nil || isBetter { footprints[id] = footprint }
            }
        }
        let attractions = named(archive.features("attraction"), by: "building_id")
        let addresses = addressTexts()
        for building in features("building") {
            // Some producers name buildings by attractions only.
            let named = labels(building) ?? attractions[building.id].flatMap { labels($0) }
            let shape = footprints[building.id] ?? building
            var record = BuildingRecord(
                id: BuildingID(identifier(building.id)), name: named?.name ?? "",
                names: named?.names ?? Translations(), timeZone: timeZone,
                outline: area(shape).outline)
            record.address = building["address_id"].text.flatMap { addresses[$0] }
            document.buildings.append(record)
        }
    }

    private func named(
        _ features: [IMDFFeature], by property: String
    ) -> [String: IMDFFeature] {
        var found: [String: IMDFFeature] = [:]
        for feature in features {
            guard let id = feature[property].text, found[id] == nil else { continue }
            found[id] = feature
        }
        return found
    }

    /// The addresses as one line of text each, by their ids.
    private func addressTexts() -> [String: String] {
        var texts: [String: String] = [:]
        for address in archive.features("address") {
            let parts = ["address", "locality", "province", "postal_code", "country"]
                .compactMap { address[$0].text }.filter { !$0.isEmpty }
            texts[address.id] = cleaned(parts.joined(separator: ", "))
        }
        return texts
    }

    mutating func addLevels() {
        var storeys: Set<Storey> = []
        var buildings = Set(document.buildings.map(\.id))
        for level in features("level") {
            guard let ordinal = level["ordinal"].integer,
                SiteLimits.floorOrdinal.contains(ordinal)
            else {
                report.note(level.id, IMDFNote.factNotKept, "its ordinal is missing or too large")
                continue
            }
            let listed = level["building_ids"].list.compactMap(\.text)
                .map { BuildingID(identifier($0)) }
            var building = listed.first { buildings.contains($0) }
            if building == nil, !listed.isEmpty { dangling(level, "building_ids") }
            let name = labels(level)
            // A level without a building, or a second level with the same ordinal, gets a building
            // of its own.
            let isFree = building.map {
                !storeys.contains(Storey(building: $0, ordinal: ordinal))
            }
            if isFree != true {
                if isFree == false {
                    let detail = "its building has this ordinal twice; it becomes a building"
                    report.note(level.id, IMDFNote.duplicateOrdinal, detail)
                }
                let own = BuildingID(identifier(level.id))
                buildings.insert(own)
                document.buildings.append(
                    BuildingRecord(
                        id: own, name: name?.name ?? document.name,
                        names: name?.names ?? document.names, timeZone: timeZone))
                building = own
            }
            guard let building else { continue }
            storeys.insert(Storey(building: building, ordinal: ordinal))
            add(level, of: building, ordinal, name?.names ?? Translations(), name?.name)
        }
    }

    private struct Storey: Hashable {
        let building: BuildingID
        let ordinal: Int
    }

    private mutating func add(
        _ level: IMDFFeature, of building: BuildingID, _ ordinal: Int, _ names: Translations,
        _ name: String?
    ) {
        let sign = labels(level, "short_name")?.name ?? name ?? "\(ordinal)"
        var all = names
        // The full name is among the floor's names; the level on its sign is its short name.
        let isOwn = level["name"].text != nil || !level["name"][self.names.language].isNull
        if let name, isOwn { all.byLanguage[self.names.language] = name }
        let outline = area(level).outline
        let floor = FloorRecord(
            id: FloorID(identifier(level.id)), building: building, ordinal: ordinal, level: sign,
            names: all,
            outline: outline)
        document.floors.append(floor)
        floorByID[level.id] = floor
        levelOutlines[floor.id] = outline.polygon
    }

    mutating func addUnits() {
        var solid: Set<RoomID> = []
        for unit in features("unit") {
            guard let level = unit["level_id"].text, let floor = floorByID[level] else {
                dangling(unit, "level_id")
                continue
            }
            let category = text(unit["category"], of: unit) ?? "unspecified"
            let named = labels(unit)
            let shape = area(unit)
            let room = RoomRecord(
                id: RoomID(identifier(unit.id)), floor: floor.id, name: named?.name ?? "",
                names: named?.names ?? Translations(),
                kind: IMDFCategories.kind(ofUnit: category), outline: shape.outline,
                holes: shape.holes, accessible: accessible(unit, category),
                isRestricted: ["employeesonly", "restricted"]
                    .contains(unit["restriction"].text ?? ""))
            if IMDFCategories.solidUnits.contains(category) { solid.insert(room.id) }
            document.rooms.append(room)
        }
        rooms = IMDFRooms(document.rooms) { solid.contains($0.id) }
    }

    /// IMDF lists the facilities of a feature. It can't state that a feature is not accessible.
    func accessible(_ feature: IMDFFeature, _ category: String = "") -> Accessibility {
        let offers = feature["accessibility"].list.compactMap(\.text)
        let isKnown = offers.contains("wheelchair") || category.hasSuffix(".wheelchair")
        return isKnown ? .yes : .unknown
    }
}
