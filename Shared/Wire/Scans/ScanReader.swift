internal import Events
internal import JSON

/// Reads the members of a scan, a survey, a line of a scan file or a recorded scan. All have the
/// same shape with more or fewer members. Unknown names are ignored, and a null counts as absent.
///
/// Every scan goes through this code, so it walks the members once and reads the bytes in place.
struct ScanReader {
    var id: EventID?
    var site: SiteID?
    var device: DeviceID?
    var scanner: ScannerID?
    var at: Timestamp?
    var sentAt: Timestamp?
    var receivedAt: Timestamp?
    var content = ScanContent()
    var place: SurveyPlace?
    var mayBeOfDraft = false
    var truth: ScanTruth?
    var request: EventID?

    init(_ object: JSONObject) throws(WireFault) {
        for member in object where !member.value.isNull {
            do throws(WireFault) {
                try read(member.name, WireValue(member.value))
            } catch {
                throw error.inside(member.name.string)
            }
        }
    }

    private mutating func read(_ name: JSONText, _ value: WireValue) throws(WireFault) {
        if name == "wifi" {
            content.wifi = try readings(value, wifiReading)
        } else if name == "ble" {
            content.ble = try readings(value, bluetoothReading)
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
        } else if name == "place" {
            place = try surveyPlace(value)
            mayBeOfDraft = try FieldReader(value).optional("draft")?.bool() ?? false
        } else if name == "request" {
            request = try value.eventID()
        } else if name == "truth" {
            truth = try scanTruth(value)
        } else {
            try content.read(name, value)
        }
    }
}
