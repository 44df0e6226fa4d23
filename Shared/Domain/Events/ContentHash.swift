/// A hash of the content of a scan or survey. It is the same in every process and version of Swift,
/// and can be folded to 32 bits.
///
/// It shows whether a retry is the same scan; it does not withstand an attack. The method is that
/// of wyhash (Wang Yi, "Modern Non-Cryptographic Hash Function", 2020). Eight bytes at a time are
/// multiplied, and the halves of the 128-bit product are combined.
///
/// The times of sending and of arrival are left out, since a retry of the same scan differs in
/// both. The scan's own time is left out if the sender gave none, since the time of arrival then
/// stands for it.
public struct ContentHash: Sendable {
    /// Two of wyhash's constants; half of their bits are set.
    private static let multiplier: UInt64 = 0xE703_7ED1_A0B4_28DB
    private var state: UInt64 = 0xA076_1D64_78BD_642F

    public static func of(_ scan: ScanRecorded) -> UInt64 {
        var hash = ContentHash()
        hash.add(scan)
        return hash.state
    }

    public static func of(_ survey: SurveyRecorded) -> UInt64 {
        var hash = ContentHash()
        hash.add(survey.scan)
        hash.add(survey.place)
        return hash.state
    }

    /// Who told it is left out, since a visitor's pseudonym changes from one day to the next.
    public static func of(_ tap: TapRecorded) -> UInt64 {
        var scan = tap.scan
        if Pseudonym(scan.device) != nil {
            if scan.scanner.text == scan.device.text { scan.scanner = ScannerID("") }
            scan.device = DeviceID("")
        }
        var hash = ContentHash()
        hash.add(text: "tap")
        hash.add(scan)
        hash.add(tap.place)
        return hash.state
    }

    private mutating func add(_ place: SurveyPlace) {
        switch place {
        case .location(let id):
            add(text: "location")
            add(text: id.text)
        case .metres(let floor, let x, let y):
            add(text: "metres")
            add(text: floor.text)
            add(x.bitPattern)
            add(y.bitPattern)
        case .geographic(let floor, let latitude, let longitude):
            add(text: "geographic")
            add(text: floor.text)
            add(latitude.bitPattern)
            add(longitude.bitPattern)
        }
    }

    /// Combines both halves of a hash into 32 bits.
    public static func folded(_ hash: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
    }

    private mutating func add(_ scan: ScanRecorded) {
        add(text: scan.site.text)
        add(text: scan.device.text)
        add(text: scan.scanner.text)
        if scan.sentAt != nil || scan.at != scan.receivedAt { add(scan.at.microseconds) }
        add(UInt64(scan.wifi.count))
        for reading in scan.wifi {
            // The address has 48 bits and the signal eight; the other two values are far below
            // 2^32.
            add(reading.bssid.value << 8 | UInt64(UInt8(truncatingIfNeeded: reading.rssi)))
            add(Self.half(reading.frequency) << 32 | Self.half(reading.ageMilliseconds))
        }
        add(UInt64(scan.ble.count))
        for reading in scan.ble {
            add(reading.uuid?.high ?? 0)
            add(reading.uuid?.low ?? 0)
            add(reading.major.map { Int($0) })
            add(reading.minor.map { Int($0) })
            add(reading.address?.value ?? 0)
            add(reading.rssi)
        }
        add(UInt64(scan.heardBy.count))
        for reading in scan.heardBy {
            add(text: reading.scanner.text)
            add(reading.rssi)
        }
        addDistances(scan)
        add(scan.steps)
        add((scan.headingDegrees ?? -1).bitPattern)
        add((scan.speedMetresPerSecond ?? -1).bitPattern)
        addStretch(scan)
        addPressure(scan)
    }

    /// A scan without distances adds nothing, so that hashes stored before distances existed stay
    /// valid. The number of its reading comes before each distance.
    private mutating func addDistances(_ scan: ScanRecorded) {
        for (number, reading) in scan.wifi.enumerated() {
            if let distance = reading.distance { add(distance, of: number) }
        }
        for (number, reading) in scan.heardBy.enumerated() {
            if let distance = reading.distance { add(distance, of: scan.wifi.count + number) }
        }
    }

    private mutating func add(_ distance: MeasuredDistance, of number: Int) {
        add(number)
        add(distance.metres.bitPattern)
        add(distance.deviation.bitPattern)
    }

    /// A scan without samples adds nothing, so that hashes stored before samples existed stay
    /// valid.
    private mutating func addStretch(_ scan: ScanRecorded) {
        for sample in scan.magneticSamples {
            add(sample.atMilliseconds)
            add(sample.field)
            if let gravity = sample.gravity { add(gravity) }
        }
        for step in scan.stepsAtMilliseconds { add(step) }
    }

    /// A scan without an air pressure adds nothing, so that hashes stored before it existed stay
    /// valid. The name keeps it apart from the times of steps before it.
    private mutating func addPressure(_ scan: ScanRecorded) {
        guard let pressure = scan.pressureHectopascals else { return }
        add(text: "pressure")
        add(pressure.bitPattern)
    }

    private mutating func add(_ field: MagneticField) {
        add(field.x.bitPattern)
        add(field.y.bitPattern)
        add(field.z.bitPattern)
    }

    private mutating func add(text: String) {
        var word: UInt64 = 0
        var count: UInt64 = 0
        for byte in text.utf8 {
            word = word << 8 | UInt64(byte)
            count += 1
            if count % 8 == 0 {
                add(word)
                word = 0
            }
        }
        // The length comes last, so that "ab" + "c" differs from "a" + "bc".
        add(word)
        add(count)
    }

    /// The low 32 bits of the value plus one, so that 0 means no value.
    private static func half(_ value: Int?) -> UInt64 {
        value.map { UInt64(UInt32(truncatingIfNeeded: $0 &+ 1)) } ?? 0
    }

    private mutating func add(_ value: Int?) {
        // A value adds two words, so that nil differs from every number.
        add(value == nil ? UInt64(0) : UInt64(1))
        if let value { add(UInt64(bitPattern: Int64(value))) }
    }

    private mutating func add(_ value: Int) { add(UInt64(bitPattern: Int64(value))) }

    private mutating func add(_ value: Int64) { add(UInt64(bitPattern: value)) }

    private mutating func add(_ value: UInt64) {
        let product = (state ^ value).multipliedFullWidth(by: Self.multiplier)
        state = product.high ^ product.low
    }
}
