public import JSON

/// Why something that came in can't be read: a request's body, a record of the log, a document.
public struct WireFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The raw values are stable: clients, dead letters and dashboards rely on them.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        // The bytes
        case bodyEmpty = "body-empty"
        case bodyTooLarge = "body-too-large"
        case notJSON = "not-json"
        case notUTF8 = "not-utf8"
        case tooDeep = "too-deep"
        case truncated
        case numberOutOfRange = "number-out-of-range"
        // The shape
        case batchTooLarge = "batch-too-large"
        /// It says nothing of where the device was.
        case nothingHeard = "nothing-heard"
        case notAnObject = "not-an-object"
        case fieldMissing = "field-missing"
        /// Where rights are given: a misspelt member would give more than was meant.
        case fieldUnknown = "field-unknown"
        case fieldWrongType = "field-wrong-type"
        case fieldOutOfRange = "field-out-of-range"
        case textTooLong = "text-too-long"
        case textMalformed = "text-malformed"
        case tooManyReadings = "too-many-readings"
        // The values
        case idMalformed = "id-malformed"
        case siteMalformed = "site-malformed"
        case deviceMalformed = "device-malformed"
        case scannerMalformed = "scanner-malformed"
        case identifierMalformed = "identifier-malformed"
        case timeMalformed = "time-malformed"
        case timeOutOfRange = "time-out-of-range"
        case rssiOutOfRange = "rssi-out-of-range"
        case bssidMalformed = "bssid-malformed"
        case addressMalformed = "address-malformed"
        case uuidMalformed = "uuid-malformed"
        case ssidTooLong = "ssid-too-long"
        case placeMissing = "place-missing"
        case placeMalformed = "place-malformed"
        case coordinatesOutOfRange = "coordinates-out-of-range"
        // Records of the log
        case valueMissing = "value-missing"
        case headersMissing = "headers-missing"
        case headerMalformed = "header-malformed"
        case typeUnknown = "type-unknown"
        case typeUnexpected = "type-unexpected"
        case versionTooNew = "version-too-new"
    }

    public var code: Code
    /// Where in the document, such as `wifi[3].rssi`; empty for the whole.
    public var path: String
    /// What is wrong, in words for the sender.
    public var reason: String

    public init(_ code: Code, path: String = "", _ reason: String) {
        self.code = code
        self.path = path
        self.reason = reason
    }

    public init(_ fault: JSONFault) {
        let code: Code
        let reason: String
        switch fault.code {
        case .empty: (code, reason) = (.bodyEmpty, "there is nothing to read")
        case .notJSON: (code, reason) = (.notJSON, "this is not JSON")
        case .notUTF8: (code, reason) = (.notUTF8, "this is not UTF-8")
        case .tooDeep: (code, reason) = (.tooDeep, "objects and arrays lie too deep")
        case .truncated: (code, reason) = (.truncated, "the document ends too early")
        case .numberOutOfRange: (code, reason) = (.numberOutOfRange, "a number is too large")
        case .tooLarge: (code, reason) = (.bodyTooLarge, "the document is too large")
        }
        let place = fault.position.map { " (byte \($0))" } ?? ""
        self.init(code, reason + place)
    }

    /// The reason with its place, for people.
    public var detail: String { path.isEmpty ? reason : "\(path): \(reason)" }

    public var description: String { "\(code.rawValue): \(detail)" }

    /// The same fault, seen from the object or array around it.
    func inside(_ outer: String) -> WireFault {
        let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
        return WireFault(code, path: outer + separator + path, reason)
    }
}
