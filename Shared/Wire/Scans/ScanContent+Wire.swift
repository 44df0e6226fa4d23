internal import Events
internal import JSON

/// The members of a scan with its readings and sensor values. Each is read and written here.
extension ScanContent {
    /// Reads the member with this name; an unknown name is ignored. `ScanReader` reads `wifi` and
    /// `ble` itself, since nearly every scan has them.
    mutating func read(_ name: JSONText, _ value: WireValue) throws(WireFault) {
        if name == "heardBy" {
            heardBy = try readings(value, nodeReading)
        } else if name == "steps" {
            steps = try value.integer(in: 0...1_000_000)
        } else if name == "headingDegrees" {
            headingDegrees = try value.number(in: -360...360)
        } else if name == "speedMetresPerSecond" {
            speedMetresPerSecond = try value.number(in: 0...1_000)
        } else if name == "pressureHectopascals" {
            pressureHectopascals = try value.number(in: ScanLimits.pressureHectopascals)
        } else if name == "magnetic" {
            magneticMicrotesla = try magneticField(value)
        } else if name == "magneticSamples" {
            magneticSamples = try magneticStretch(value)
        } else if name == "stepsAt" {
            stepsAtMilliseconds = try stepTimes(value)
        } else if name == "gnss" {
            gnss = try satelliteFix(value)
        }
    }

    /// Writes the members. A scan without any readings has an empty `wifi`.
    func writeMembers(to writer: inout JSONWriter) {
        if !wifi.isEmpty || (ble.isEmpty && heardBy.isEmpty) {
            writer.name("wifi")
            writer.beginArray()
            for reading in wifi { writer.write(reading) }
            writer.endArray()
        }
        if !ble.isEmpty {
            writer.name("ble")
            writer.beginArray()
            for reading in ble { writer.write(reading) }
            writer.endArray()
        }
        if !heardBy.isEmpty {
            writer.name("heardBy")
            writer.beginArray()
            for reading in heardBy { writer.write(reading) }
            writer.endArray()
        }
        writer.field("steps", steps)
        writer.field("headingDegrees", headingDegrees)
        writer.field("speedMetresPerSecond", speedMetresPerSecond)
        writer.field("pressureHectopascals", pressureHectopascals)
        if let magnetic = magneticMicrotesla {
            writer.name("magnetic")
            writer.beginArray()
            writer.number(magnetic.x)
            writer.number(magnetic.y)
            writer.number(magnetic.z)
            writer.endArray()
        }
        if !magneticSamples.isEmpty { writer.field("magneticSamples", magneticSamples) }
        if !stepsAtMilliseconds.isEmpty { writer.times("stepsAt", stepsAtMilliseconds) }
        if let gnss { writer.write(gnss) }
    }
}

func readings<Reading>(
    _ value: WireValue, _ read: (JSONObject) throws(WireFault) -> Reading
) throws(WireFault) -> [Reading] {
    guard let array = value.json.array else {
        throw WireFault(.fieldWrongType, "an array is expected")
    }
    guard array.count <= ScanLimits.readings else {
        throw WireFault(.tooManyReadings, "send at most \(ScanLimits.readings) readings")
    }
    var readings: [Reading] = []
    readings.reserveCapacity(array.count)
    do throws(WireFault) {
        for element in array {
            guard let object = element.object else {
                throw WireFault(.fieldWrongType, "a reading is an object")
            }
            readings.append(try read(object))
        }
    } catch {
        throw error.inside("[\(readings.count)]")
    }
    return readings
}
