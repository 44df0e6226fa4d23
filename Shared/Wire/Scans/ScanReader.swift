internal import Events
internal import JSON

/// Reads the members of a scan, a survey, a line of a scan file or a recorded scan: one shape with
/// more or fewer members. Names that it doesn't know are left aside; a null counts as absent.
///
/// This is the hot path of ingest: members are taken in one walk, and bytes are read where they lie.
struct ScanReader {
    var id: EventID?
    var site: SiteID?
    var device: DeviceID?
    var scanner: ScannerID?
    var at: Timestamp?
    var sentAt: Timestamp?
    var receivedAt: Timestamp?
    var wifi: [WiFiReading] = []
    var ble: [BluetoothReading] = []
    var heardBy: [NodeReading] = []
    var steps: Int?
    var headingDegrees: Double?
    var speedMetresPerSecond: Double?
    var magnetic: MagneticField?
    var magneticSamples: [MagneticSample] = []
    var stepsAtMilliseconds: [Int] = []
    var gnss: SatelliteFix?
    var place: SurveyPlace?
    var truth: ScanTruth?

    init(_ object: JSONObject) throws(WireFault) {
        for member in object where !member.value.isNull {
            do throws(WireFault) {
                try take(member.name, WireValue(member.value))
            } catch {
                throw error.inside(member.name.string)
            }
        }
    }

    private mutating func take(_ name: JSONText, _ value: WireValue) throws(WireFault) {
        if name == "wifi" {
            wifi = try readings(value, wifiReading)
        } else if name == "ble" {
            ble = try readings(value, bluetoothReading)
        } else if name == "id" {
            id = try value.eventID()
        } else if name == "at" {
            at = try value.time()
        } else if name == "sentAt" {
            sentAt = try value.time()
        } else if name == "receivedAt" {
            receivedAt = try value.time()
        } else if name == "site" {
            site = try value.identifier(.siteMalformed)
        } else if name == "device" {
            device = try value.identifier(.deviceMalformed)
        } else if name == "scanner" {
            scanner = try value.identifier(.scannerMalformed)
        } else {
            try takeRare(name, value)
        }
    }

    private mutating func takeRare(_ name: JSONText, _ value: WireValue) throws(WireFault) {
        if name == "heardBy" {
            heardBy = try readings(value, nodeReading)
        } else if name == "steps" {
            steps = try value.integer(in: 0...1_000_000)
        } else if name == "headingDegrees" {
            headingDegrees = try value.number(in: -360...360)
        } else if name == "speedMetresPerSecond" {
            speedMetresPerSecond = try value.number(in: 0...1_000)
        } else if name == "magnetic" {
            magnetic = try magneticField(value)
        } else if name == "magneticSamples" {
            magneticSamples = try magneticStretch(value)
        } else if name == "stepsAt" {
            stepsAtMilliseconds = try stepTimes(value)
        } else if name == "gnss" {
            gnss = try satelliteFix(value)
        } else if name == "place" {
            place = try surveyPlace(value)
        } else if name == "truth" {
            truth = try scanTruth(value)
        }
    }
}

private func readings<Reading>(
    _ value: WireValue, _ read: (JSONObject) throws(WireFault) -> Reading
) throws(WireFault) -> [Reading] {
    guard let array = value.json.array else {
        throw WireFault(.fieldWrongType, "an array is expected")
    }
    guard array.count <= ScanLimits.readings else {
        throw WireFault(.tooManyReadings, "at most \(ScanLimits.readings) readings are taken")
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
