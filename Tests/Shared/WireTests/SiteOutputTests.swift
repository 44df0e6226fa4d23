import Events
import Geometry
import JSON
import Site
import Testing
import Wire

@Suite struct SiteOutputTests {
    private let frame = LocalFrame(
        originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 30)

    @Test("Points and corners are given in degrees, and nothing else differs")
    func form() throws {
        let origin = LocalFrame(originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0)
        let body = """
            {"id":"l","x":0,"y":0,"n":null,"outline":[[0,0]],"holes":[[[0,0]]],"column":[0,0]}
            """
        let told = try SiteOutput(frame: origin).geographic(Array(body.utf8))
        let point = "\"latitude\":51.5,\"longitude\":-0.1"
        #expect(
            String(decoding: told, as: UTF8.self) == """
                {"id":"l",\(point),"n":null,"outline":[{\(point)}],"holes":[[{\(point)}]],\
                "column":[0,0]}
                """)
    }

    @Test("After a round trip every record is the same within a micrometre", arguments: 0..<20)
    func thereAndBack(seed: UInt64) throws {
        var events = RandomEvents(seed: seed)
        let site = events.site().document
        try expectSame(site.buildings)
        try expectSame(site.floors)
        try expectSame(site.floorPlans)
        try expectSame(site.rooms)
        try expectSame(site.locations)
        try expectSame(site.connections)
        try expectSame(site.zones)
        try expectSame(site.beacons)
        try expectSame(site.accessPointPlaces)
        try expectSame(site.contents)
        try expectSame(site.directory)
    }

    @Test("Anywhere on the globe, a point 20 km from the origin comes back without loss")
    func farAway() throws {
        for latitude in [-85.0, -51.5, 0, 1e-7, 45, 85] {
            for longitude in [-180.0, -0.1, 0, 179.9999] {
                let frame = LocalFrame(
                    originLatitude: latitude, originLongitude: longitude, bearingDegrees: 217)
                for (x, y) in [(20_000.0, -20_000.0), (0.123_456_789, 1e-6), (-9_999.9, 3)] {
                    let location = LocationRecord(
                        id: LocationID("l"), floor: FloorID("f"), room: nil, point: [x, y])
                    let told = try SiteOutput(frame: frame).geographic(location.json)
                    let read: LocationRecord = try read(told, as: "l", in: frame)
                    #expect(
                        abs(read.point.x - x) < 1e-6 && abs(read.point.y - y) < 1e-6,
                        "\(frame) \(read)")
                }
            }
        }
    }

    @Test("Coordinates of a tenth of a millimetre come back bit by bit")
    func exact() throws {
        for step in 0..<2_000 {
            let location = LocationRecord(
                id: LocationID("l"), floor: FloorID("f"), room: nil,
                point: Point(
                    x: Double(step * 7_919 - 8_000_000) / 10_000, y: Double(step * 104_729) / 10_000
                ))
            let told = try SiteOutput(frame: frame).geographic(location.json)
            let read: LocationRecord = try read(told, as: "l")
            #expect(read == location)
        }
    }

    private func read<Record: SiteRecordWire>(
        _ told: [UInt8], as id: String, in frame: LocalFrame? = nil
    ) throws -> Record {
        try Record(
            json: SiteInput(frame: frame ?? self.frame).normalised(
                told, as: id, under: Record.kind.key.member))
    }

    /// Reads the geographic form of each record, and compares every value.
    private func expectSame<Record: SiteRecordWire>(_ records: [Record]) throws {
        for record in records {
            let told = try SiteOutput(frame: frame).geographic(record.json)
            let read: Record = try read(told, as: record.idText)
            let (before, after) = try (values(record.json), values(read.json))
            #expect(before.texts == after.texts)
            #expect(before.numbers.count == after.numbers.count)
            for (one, other) in zip(before.numbers, after.numbers) {
                #expect(abs(one - other) < 1e-6, "\(record)")
            }
        }
    }

    /// The numbers and the texts of a document in their order.
    private func values(_ json: [UInt8]) throws -> (numbers: [Double], texts: [String]) {
        var numbers: [Double] = []
        var texts: [String] = []
        func collect(_ value: JSONValue) {
            if let object = value.object {
                for field in object {
                    texts.append(field.name.string)
                    collect(field.value)
                }
            } else if let array = value.array {
                texts.append("[\(array.count)]")
                for element in array { collect(element) }
            } else if let number = value.double {
                numbers.append(number)
            } else {
                texts.append(value.string ?? "\(value.kind)")
            }
        }
        try JSONParser.read(json) { collect($0) }
        return (numbers, texts)
    }
}
