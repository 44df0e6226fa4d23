public import Events
public import Geometry
public import Positioning
public import Site

/// A site with two floors of one building. A character is a metre, and the lowest line is at y = 0.
/// On the ground floor rooms A and B lie above a corridor C. D is the complete first floor.
public enum SampleSite {
    public static let id = SiteID("sample")
    public static let ground = FloorID("ground")
    public static let first = FloorID("first")

    public static let index: SiteIndex = {
        let rooms =
            drawn(
                """
                AAAAAAAAAABBBBBBBBBB
                AAAAAAAAAABBBBBBBBBB
                AAAAAAAAAABBBBBBBBBB
                AAAAAAAAAABBBBBBBBBB
                CCCCCCCCCCCCCCCCCCCC
                CCCCCCCCCCCCCCCCCCCC
                """, floor: ground)
            + drawn(
                """
                DDDDDDDDDDDDDDDDDDDD
                DDDDDDDDDDDDDDDDDDDD
                DDDDDDDDDDDDDDDDDDDD
                DDDDDDDDDDDDDDDDDDDD
                DDDDDDDDDDDDDDDDDDDD
                DDDDDDDDDDDDDDDDDDDD
                """, floor: first)
        let building = BuildingID("house")
        return try! SiteIndex(
            SiteDocument(
                name: "Sample", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
                buildings: [
                    BuildingRecord(id: building, name: "House", timeZone: "Europe/London")
                ],
                floors: [
                    FloorRecord(id: ground, building: building, ordinal: 0, level: "G"),
                    FloorRecord(id: first, building: building, ordinal: 1, level: "1"),
                ], rooms: rooms,
                locations: [
                    LocationRecord(
                        id: LocationID("desk"), floor: ground, room: RoomID("A"), point: [5, 4])
                ]))
    }()

    private static func drawn(_ drawing: String, floor: FloorID) -> [RoomRecord] {
        var boxes: [Character: BoundingBox] = [:]
        let lines = drawing.split(separator: "\n").reversed()
        for (y, line) in lines.enumerated() {
            for (x, letter) in line.enumerated() {
                let low = Point(x: Double(x), y: Double(y))
                let high = Point(x: Double(x + 1), y: Double(y + 1))
                var box = boxes[letter] ?? BoundingBox([low])!
                box.include(low)
                box.include(high)
                boxes[letter] = box
            }
        }
        return boxes.sorted { $0.key < $1.key }.map { letter, box in
            let (low, high) = (box.minimum, box.maximum)
            return RoomRecord(
                id: RoomID(String(letter)), floor: floor, name: "Room \(letter)",
                kind: letter == "C" ? "corridor" : "room",
                outline: [[low.x, low.y], [high.x, low.y], [high.x, high.y], [low.x, high.y]])
        }
    }

    /// The readings of eight access points, four on each floor. They are 25 dB weaker one floor
    /// away.
    public static func readings(at point: Point, floor: FloorID, noise: () -> Double = { 0 })
        -> [WiFiReading]
    {
        let corners = [
            Point(x: 0, y: 0), Point(x: 20, y: 0), Point(x: 0, y: 6), Point(x: 20, y: 6),
        ]
        var readings: [WiFiReading] = []
        for (number, level) in [ground, first].enumerated() {
            for (corner, place) in corners.enumerated() {
                let distance = place.distance(to: point)
                let loss = 2.5 * distance + (level == floor ? 0 : 25) + noise()
                let rssi = Int((-35 - loss).rounded())
                guard rssi >= -95 else { continue }
                let address = HardwareAddress(value: UInt64(number * 4 + corner + 1))
                readings.append(WiFiReading(bssid: address, rssi: rssi))
            }
        }
        return readings
    }

    public static func scan(_ number: Int, wifi: [WiFiReading], seconds: Int = 0) -> ScanRecorded {
        let moment = Timestamp(milliseconds: 1_700_000_000_000 + Int64(seconds) * 1_000)
        return ScanRecorded(
            id: EventID(high: 7, low: UInt64(number)), site: id, device: DeviceID("tablet"),
            scanner: ScannerID("tablet"), at: moment, receivedAt: moment, wifi: wifi)
    }

    /// A survey at each point of a one-metre grid on both floors, some minutes apart.
    public static let surveys: [SurveyRecorded] = {
        var surveys: [SurveyRecorded] = []
        for floor in [ground, first] {
            for x in stride(from: 0.5, to: 20, by: 1) {
                for y in stride(from: 0.5, to: 6, by: 1) {
                    let wifi = readings(at: Point(x: x, y: y), floor: floor)
                    let number = surveys.count
                    surveys.append(
                        SurveyRecorded(
                            scan: scan(number, wifi: wifi, seconds: number * 120),
                            place: .metres(floor: floor, x: x, y: y)))
                }
            }
        }
        return surveys
    }()

    public static let map = RadioMapBuilder.build(surveys, site: index).map
}
