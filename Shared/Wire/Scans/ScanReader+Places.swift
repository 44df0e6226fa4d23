internal import Events
internal import JSON

func surveyPlace(_ value: WireValue) throws(WireFault) -> SurveyPlace {
    let fields = try FieldReader(value)
    if let location: LocationID = try fields.optional("location")?.identifier() {
        return .location(location)
    }
    guard let floor: FloorID = try fields.optional("floor")?.identifier() else {
        throw WireFault(.placeMalformed, "a place has a location, or a floor and coordinates")
    }
    let x = try fields.optional("x")?.coordinate()
    let y = try fields.optional("y")?.coordinate()
    let latitude = try fields.optional("latitude")?.latitude()
    let longitude = try fields.optional("longitude")?.longitude()
    if let x, let y { return .metres(floor: floor, x: x, y: y) }
    if let latitude, let longitude {
        return .geographic(floor: floor, latitude: latitude, longitude: longitude)
    }
    throw WireFault(.placeMalformed, "a floor needs x and y, or latitude and longitude")
}

func scanTruth(_ value: WireValue) throws(WireFault) -> ScanTruth {
    let fields = try FieldReader(value)
    return ScanTruth(
        building: try fields.optional("building")?.identifier(),
        floor: try fields.required("floor").identifier(),
        room: try fields.optional("room")?.identifier(),
        x: try fields.required("x").coordinate(),
        y: try fields.required("y").coordinate())
}

func satelliteFix(_ value: WireValue) throws(WireFault) -> SatelliteFix {
    let fields = try FieldReader(value)
    return SatelliteFix(
        latitude: try fields.required("latitude").latitude(),
        longitude: try fields.required("longitude").longitude(),
        accuracyMetres: try fields.optional("accuracyMetres")?.number(in: 0...1e7))
}

func magneticField(_ value: WireValue) throws(WireFault) -> MagneticField {
    let axes = try value.elements(magneticAxis)
    guard axes.count == 3 else {
        throw WireFault(.fieldOutOfRange, "three numbers are expected: x, y and z")
    }
    return MagneticField(x: axes[0], y: axes[1], z: axes[2])
}

private func magneticAxis(_ value: WireValue) throws(WireFault) -> Double {
    try value.number(in: -1e6...1e6)
}
