internal import Events
internal import JSON

extension JSONWriter {
    /// Writes the members of a walk: milliseconds, microtesla and gravity, with three decimals.
    mutating func members(_ walk: MagneticWalk) {
        field("samples", walk.samples)
        if !walk.passedAtMilliseconds.isEmpty { times("passedAt", walk.passedAtMilliseconds) }
        if !walk.stepsAtMilliseconds.isEmpty { times("stepsAt", walk.stepsAtMilliseconds) }
    }

    mutating func field(_ name: StaticString, _ samples: [MagneticSample]) {
        self.name(name)
        beginArray()
        for sample in samples {
            beginArray()
            integer(sample.atMilliseconds)
            vector(sample.field)
            if let gravity = sample.gravity { vector(gravity) }
            endArray()
        }
        endArray()
    }

    mutating func field(_ name: StaticString, _ polyline: [MagneticRoutePoint]) {
        self.name(name)
        beginArray()
        for point in polyline {
            beginArray()
            number(point.x, decimals: 3)
            number(point.y, decimals: 3)
            endArray()
        }
        endArray()
    }

    private mutating func vector(_ vector: MagneticField) {
        number(vector.x, decimals: 3)
        number(vector.y, decimals: 3)
        number(vector.z, decimals: 3)
    }

    mutating func times(_ name: StaticString, _ times: [Int]) {
        self.name(name)
        beginArray()
        for time in times { integer(time) }
        endArray()
    }
}

extension MagneticWalk {
    /// Reads the members of a walk and checks only their shape. The domain judges the walk itself.
    init(_ fields: FieldReader) throws(WireFault) {
        self.init(
            samples: try fields.required("samples").elements(sample),
            passedAtMilliseconds: try fields.optional("passedAt")?.elements(time) ?? [],
            stepsAtMilliseconds: try fields.optional("stepsAt")?.elements(time) ?? [])
    }
}

/// Reads the magnetic samples of a scan: at most `ScanLimits.magneticSamples`, with ascending
/// times.
func magneticStretch(_ value: WireValue) throws(WireFault) -> [MagneticSample] {
    if let count = value.json.array?.count, count > ScanLimits.magneticSamples {
        throw WireFault(
            .tooManyReadings, "send at most \(ScanLimits.magneticSamples) samples")
    }
    let samples = try value.elements(sample)
    try checkTimes(samples.map(\.atMilliseconds))
    return samples
}

/// Reads the times of steps, which a scan has beside the samples.
func stepTimes(_ value: WireValue) throws(WireFault) -> [Int] {
    if let count = value.json.array?.count, count > ScanLimits.steps {
        throw WireFault(.tooManyReadings, "send at most \(ScanLimits.steps) steps")
    }
    let times = try value.elements(time)
    try checkTimes(times)
    return times
}

private func checkTimes(_ times: [Int]) throws(WireFault) {
    guard zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) else {
        throw WireFault(.fieldOutOfRange, "times must ascend")
    }
    guard let first = times.first, let last = times.last else { return }
    guard last - first <= ScanLimits.magneticMilliseconds else {
        throw WireFault(
            .fieldOutOfRange,
            "send at most \(ScanLimits.magneticMilliseconds / 1_000) seconds in one scan")
    }
}

func magneticPolyline(_ fields: FieldReader) throws(WireFault) -> [MagneticRoutePoint] {
    try magneticPolyline(fields.required("polyline"))
}

func magneticPolyline(_ value: WireValue) throws(WireFault) -> [MagneticRoutePoint] {
    try value.elements(point)
}

private func point(_ value: WireValue) throws(WireFault) -> MagneticRoutePoint {
    let point = try value.elements(coordinate)
    guard point.count == 2 else {
        throw value.fault(.fieldOutOfRange, "a point is two numbers: x and y")
    }
    return MagneticRoutePoint(x: point[0], y: point[1])
}

private func coordinate(_ value: WireValue) throws(WireFault) -> Double {
    inThousandths(try value.coordinate())
}

/// The number as it will be written. A walk that is sent again must equal the stored one.
private func inThousandths(_ number: Double) -> Double { (number * 1_000).rounded() / 1_000 }

private func time(_ value: WireValue) throws(WireFault) -> Int {
    // Milliseconds within the whole numbers that a double holds exactly.
    try value.integer(in: 0...(1 << 53))
}

private func number(_ value: WireValue) throws(WireFault) -> Double {
    inThousandths(try value.number(in: -1e6...1e6))
}

/// `[t, bx, by, bz]`, or with gravity `[t, bx, by, bz, gx, gy, gz]`.
private func sample(_ value: WireValue) throws(WireFault) -> MagneticSample {
    guard let array = value.json.array else {
        throw value.fault(.fieldWrongType, "an array is expected")
    }
    guard array.count == 4 || array.count == 7 else {
        throw value.fault(
            .fieldOutOfRange,
            "a sample is a time and a field, with or without gravity: 4 or 7 numbers")
    }
    var at = 0
    var parts: [Double] = []
    for (index, element) in array.enumerated() {
        if index == 0 {
            at = try time(WireValue(element))
        } else {
            parts.append(try number(WireValue(element)))
        }
    }
    return MagneticSample(
        atMilliseconds: at, field: MagneticField(x: parts[0], y: parts[1], z: parts[2]),
        gravity: parts.count == 6
            ? MagneticField(x: parts[3], y: parts[4], z: parts[5]) : nil)
}
