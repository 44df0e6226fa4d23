public import Events
internal import JSON

extension ScannerHealth {
    private static let counts = 0...1_000_000_000_000
    private static let mostCodes = 100
    private static let mostFaults = 20
    private static let mostBytesOfFault = 1_000

    /// Reads what a scanner tells about itself.
    ///
    /// - Parameters:
    ///   - scanner: the scanner that tells it.
    ///   - moment: the time of arrival, in place of the scanner's own.
    public init(json body: [UInt8], of scanner: ScannerID, at moment: Timestamp) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "the health of a scanner is an object")
            }
            let fields = FieldReader(object)
            var health = ScannerHealth(writtenAt: moment, scanner: scanner, server: "")
            try health.read(fields)
            return health
        }
    }

    private mutating func read(_ fields: FieldReader) throws(WireFault) {
        func count(_ name: StaticString) throws(WireFault) -> Int {
            try fields.optional(name)?.integer(in: Self.counts) ?? 0
        }
        if let value = fields.optional("server") {
            server = Self.cut(try value.text(maximumBytes: .max))
        }
        source = try fields.optional("source")?.text(maximumBytes: 64) ?? ""
        lastScanAt = try fields.optional("lastScanAt")?.time()
        lastSentAt = try fields.optional("lastSentAt")?.time()
        scans = try count("scans")
        sent = try count("sent")
        waitingScans = try count("waitingScans")
        waitingSurveys = try count("waitingSurveys")
        waitingSightings = try count("waitingSightings")
        spoolBytes = try count("spoolBytes")
        dropped = try count("dropped")
        notKept = try count("notKept")
        damagedBytes = try count("damagedBytes")
        badLines = try count("badLines")
        lateAnswers = try count("lateAnswers")
        if let value = fields.optional("refused") {
            guard let members = value.json.object else {
                throw value.fault(.fieldWrongType, "an object of codes and numbers is expected")
            }
            for member in members.prefix(Self.mostCodes) {
                let code = member.name.string
                guard let number = member.value.int, Self.counts.contains(number),
                    code.utf8.count <= 64
                else { throw value.fault(.fieldOutOfRange, "codes and numbers are expected") }
                refused[code] = number
            }
        }
        let all = try fields.elements("faults") { (value) throws(WireFault) in
            Self.cut(try value.text(maximumBytes: .max))
        }
        faults = Array(all.prefix(Self.mostFaults))
    }

    /// Cuts a long text of a fault, or a long address, so that the rest of the health is not
    /// refused for it.
    private static func cut(_ text: String) -> String {
        guard text.utf8.count > mostBytesOfFault else { return text }
        var bytes = Array(text.utf8.prefix(mostBytesOfFault))
        // A letter that is cut in two is left out.
        while String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
