internal import Events
internal import Geometry
internal import Site
internal import SiteExchange

/// Converts between a site's records and geometries of GeoJSON.
struct GeoJSONShapes {
    /// The largest change in degrees at which a position counts as unchanged: a tenth of a
    /// millimetre.
    private static let slack = 1e-9

    let frame: LocalFrame

    // MARK: Out

    /// The geometry that shows a record; null for a record without a place.
    func geometry(of kind: RecordKind, _ value: PropertyValue) -> PropertyValue {
        switch kind.shape {
        case .area:
            let outline = value["outline"].list
            guard outline.count >= 3 else { return .null }
            let rings = [outline] + value["holes"].list.map(\.list)
            return [
                "type": "Polygon",
                "coordinates": .list(rings.enumerated().map { ring($1, isOuter: $0 == 0) }),
            ]
        case .point:
            guard let position = position(value) else { return .null }
            return ["type": "Point", "coordinates": position]
        case .way:
            let stops = value["stops"].list.compactMap(position)
            guard let first = stops.first else { return .null }
            if Set(stops).count == 1, value["line"].list.isEmpty {
                return ["type": "Point", "coordinates": first]
            }
            guard stops.count == 2 else {
                return ["type": "MultiPoint", "coordinates": .list(stops)]
            }
            let bends = value["line"].list.map(corner)
            return ["type": "LineString", "coordinates": .list([first] + bends + [stops[1]])]
        case .none: return .null
        }
    }

    private func position(_ value: PropertyValue) -> PropertyValue? {
        guard let x = value["x"].number, let y = value["y"].number else { return nil }
        return position(Point(x: x, y: y))
    }

    private func position(_ point: Point) -> PropertyValue {
        let place = frame.geographic(point)
        return .list([PropertyValue(place.longitude), PropertyValue(place.latitude)])
    }

    private func corner(_ value: PropertyValue) -> PropertyValue {
        position(point(of: value))
    }

    private func point(of corner: PropertyValue) -> Point {
        let numbers = corner.list
        return Point(
            x: numbers.first?.number ?? 0, y: numbers.count > 1 ? numbers[1].number ?? 0 : 0)
    }

    /// A closed ring: the outer one anticlockwise, holes clockwise (RFC 7946, section 3.1.6). It
    /// starts at the same corner.
    private func ring(_ corners: [PropertyValue], isOuter: Bool) -> PropertyValue {
        let area = Polygon(corners.map(point))?.signedArea ?? 0
        var ordered = corners
        if !corners.isEmpty, (area > 0) != isOuter {
            ordered = [corners[0]] + corners.dropFirst().reversed()
        }
        let positions = ordered.map(corner)
        return .list(positions + positions.prefix(1))
    }

    // MARK: In

    /// A feature as a record of the site's document. The geometry counts where it differs from the
    /// record's metres.
    func record(
        _ type: any SiteRecordObject.Type, _ feature: PropertyValue, timeZone: String
    ) -> PropertyValue {
        var value = PropertyValue.members(
            feature["properties"].members.filter { $0.name != "record" })
        let key = "\(type.kind.key.member)"
        if value[key].isNull { value[key] = feature["id"] }
        for (name, usual) in type.usual(value, timeZone: timeZone) where value[name].isNull {
            value[name] = usual
        }
        let geometry = feature["geometry"]
        guard !geometry.isNull, !isSame(geometry, self.geometry(of: type.kind, value)) else {
            return value
        }
        apply(geometry, type, into: &value)
        return value
    }

    private func isSame(_ one: PropertyValue, _ other: PropertyValue) -> Bool {
        func near(_ one: PropertyValue, _ other: PropertyValue) -> Bool {
            if let left = one.number, let right = other.number {
                return abs(left - right) <= Self.slack
            }
            guard case .list(let left) = one, case .list(let right) = other,
                left.count == right.count
            else { return false }
            return zip(left, right).allSatisfy { near($0, $1) }
        }
        return one["type"] == other["type"] && near(one["coordinates"], other["coordinates"])
    }

    private func apply(
        _ geometry: PropertyValue, _ type: any SiteRecordObject.Type,
        into value: inout PropertyValue
    ) {
        let coordinates = geometry["coordinates"]
        switch (geometry["type"].text, type.kind.shape) {
        case ("Polygon", .area):
            let rings = coordinates.list.map(open)
            value["outline"] = rings.first ?? []
            if type.memberNames.contains("holes"), rings.count > 1 {
                value["holes"] = .list(Array(rings.dropFirst()))
            } else if !value["holes"].isNull {
                value["holes"] = []
            }
        case ("Point", .point):
            guard let point = metres(coordinates) else { return }
            value["x"] = PropertyValue(point.x)
            value["y"] = PropertyValue(point.y)
        case (_, .way): applyWay(geometry, into: &value)
        default: break
        }
    }

    /// Sets the place of a way. Its stops keep their floors and rooms; a line drawn by hand runs on
    /// the floor in its properties.
    private func applyWay(_ geometry: PropertyValue, into value: inout PropertyValue) {
        let isPoint = geometry["type"].text == "Point"
        let points = (isPoint ? [geometry["coordinates"]] : geometry["coordinates"].list)
            .compactMap(metres)
        guard let first = points.first, let last = points.last else { return }
        var stops = value["stops"].list
        if stops.isEmpty {
            let stop: PropertyValue = value["floor"].isNull ? [:] : ["floor": value["floor"]]
            stops = [stop, stop]
        }
        let isAtStops = geometry["type"].text == "MultiPoint" && points.count == stops.count
        for index in stops.indices {
            let point = isAtStops ? points[index] : index == 0 ? first : last
            stops[index]["x"] = PropertyValue(point.x)
            stops[index]["y"] = PropertyValue(point.y)
        }
        value["stops"] = .list(stops)
        let bends = isAtStops ? [] : points.dropFirst().dropLast()
        if !bends.isEmpty || !value["line"].isNull {
            value["line"] = .list(bends.map { [PropertyValue($0.x), PropertyValue($0.y)] })
        }
    }

    /// A ring's corners in metres, without the last one, which repeats the first.
    private func open(_ ring: PropertyValue) -> PropertyValue {
        var corners = ring.list.compactMap(metres).map { point -> PropertyValue in
            [PropertyValue(point.x), PropertyValue(point.y)]
        }
        if corners.count > 1, corners.first == corners.last { corners.removeLast() }
        return .list(corners)
    }

    private func metres(_ position: PropertyValue) -> Point? {
        guard let place = Self.place(position) else { return nil }
        let point = frame.point(place)
        func rounded(_ metres: Double) -> Double { (metres * 10_000).rounded() / 10_000 }
        return Point(x: rounded(point.x), y: rounded(point.y))
    }

    private static func place(_ position: PropertyValue) -> GeographicPoint? {
        let numbers = position.list.compactMap(\.number)
        guard numbers.count >= 2, abs(numbers[0]) <= 180, abs(numbers[1]) <= 90 else { return nil }
        return GeographicPoint(latitude: numbers[1], longitude: numbers[0])
    }

    /// The middle of the features in degrees, to nine decimals.
    static func middle(of features: [PropertyValue]) -> GeographicPoint? {
        var low: GeographicPoint?
        var high: GeographicPoint?
        func visit(_ value: PropertyValue) {
            guard value.list.first?.number != nil else { return value.list.forEach(visit) }
            guard let place = place(value), abs(place.latitude) <= 85 else { return }
            low = GeographicPoint(
                latitude: min(low?.latitude ?? 90, place.latitude),
                longitude: min(low?.longitude ?? 180, place.longitude))
            high = GeographicPoint(
                latitude: max(high?.latitude ?? -90, place.latitude),
                longitude: max(high?.longitude ?? -180, place.longitude))
        }
        for feature in features { visit(feature["geometry"]["coordinates"]) }
        guard let low, let high else { return nil }
        func half(_ one: Double, _ other: Double) -> Double {
            ((one + other) / 2 * 1e9).rounded() / 1e9
        }
        return GeographicPoint(
            latitude: half(low.latitude, high.latitude),
            longitude: half(low.longitude, high.longitude))
    }
}
