import Events
import Postgres
import SampleSites
import ServiceBench
import TestSupport
import Testing
import Wire

@testable import Locator

@Suite(
    "Figures of rooms and visits",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct FigureRouteTests {
    private static let hours =
        "from=\(WatchBench.hour.text)&until=\(WatchBench.time(3 * 3_600).text)"

    /// Two devices in A, one of them in two hours and in B, too; one outside of all rooms.
    private func filled() async throws -> WatchBench {
        let bench = try await WatchBench()
        let rows: [(String, Double, String?, String)] = [
            ("d1", 10, "A", "ground"), ("d1", 20, "A", "ground"), ("d2", 30, "A", "ground"),
            ("d1", 3_700, "A", "ground"), ("d1", 3_800, "B", "ground"),
            ("d3", 50, nil, "ground"), ("d4", 60, "D", "first"), ("d4", 4 * 3_600, "D", "first"),
        ]
        try await bench.write(
            rows.enumerated().map { number, row in
                WatchBench.position(
                    row.0, at: row.1, room: row.2, floor: row.3, number: UInt64(number))
            })
        return bench
    }

    @Test("Rooms are counted with their devices, hours and areas")
    func rooms() async throws {
        let bench = try await filled()
        let answer = try await bench.figures("room-hours", Self.hours)
        #expect(
            answer.text
                == """
                {"rooms":[{"positions":1,"devices":1,"deviceHours":1,"hours":1},\
                {"room":"A","floor":"ground","squareMetres":40.00,"positions":4,"devices":2,\
                "deviceHours":3,"hours":2},\
                {"room":"B","floor":"ground","squareMetres":40.00,"positions":1,"devices":1,\
                "deviceHours":1,"hours":1},\
                {"room":"D","floor":"first","squareMetres":120.00,"positions":1,"devices":1,\
                "deviceHours":1,"hours":1}],"next":null}
                """.replacing(".00", with: ""), "\(answer.text)")
        let floor = try await bench.figures("room-hours", Self.hours + "&floor=first")
        #expect(floor["rooms.0.room"] == "D" && floor["rooms.1"] == nil)
        // A page ends with a cursor.
        let page = try await bench.figures("room-hours", Self.hours + "&limit=2")
        #expect(page["next"] == "A" && page["rooms.2"] == nil)
        let rest = try await bench.figures("room-hours", Self.hours + "&after=A")
        #expect(rest["rooms.0.room"] == "B")
    }

    @Test("Hours count each device once, in however many rooms it was")
    func hoursOfRooms() async throws {
        let bench = try await filled()
        let all = try await bench.figures("room-hours", Self.hours + "&each=hour")
        #expect(all["hours.0.positions"] == "5" && all["hours.0.devices"] == "4")
        #expect(all["hours.1.positions"] == "2" && all["hours.1.devices"] == "1")
        #expect(all["hours.1.hour"] == WatchBench.time(3_600).text && all["hours.2"] == nil)
        let room = try await bench.figures("room-hours", Self.hours + "&each=hour&room=B")
        #expect(room["hours.0.devices"] == "1" && room["hours.1"] == nil)
    }

    @Test("An erased device is not counted any more")
    func erased() async throws {
        let bench = try await filled()
        try await bench.erase("d1")
        let answer = try await bench.figures("room-hours", Self.hours)
        #expect(answer["rooms.1.room"] == "A" && answer["rooms.1.devices"] == "1")
        #expect(answer["rooms.2.room"] == "D")
    }

    @Test("Visits are summed up by zone: those that began in the period")
    func visits() async throws {
        let bench = try await WatchBench()
        let lengths: [(String, Double, Double?)] = [
            ("d1", 0, 60), ("d1", 600, 120), ("d2", 700, 600), ("d3", 800, nil), ("d4", -5, 9_000),
        ]
        for (number, row) in lengths.enumerated() {
            try await bench.visit(
                row.0, .room, "A", from: row.1, lasting: row.2, number: UInt64(number))
        }
        try await bench.visit("d9", .building, "house", from: 5, lasting: nil, number: 90)
        let answer = try await bench.figures("visit-summary", Self.hours)
        #expect(answer["zones.0.zone"] == "house" && answer["zones.0.medianSeconds"] == nil)
        #expect(answer["zones.1.visits"] == "4" && answer["zones.1.devices"] == "3")
        #expect(answer["zones.1.lasting"] == "1" && answer["zones.1.medianSeconds"] == "120")
        #expect(answer["zones.1.meanSeconds"] == "260" && answer["zones.1.longestSeconds"] == "600")
        let page = try await bench.figures("visit-summary", Self.hours + "&limit=1")
        #expect(page["next"] == "building~house")
        let rest = try await bench.figures("visit-summary", Self.hours + "&after=building~house")
        #expect(rest["zones.0.zone"] == "A" && rest["zones.1"] == nil)
        let rooms = try await bench.figures("visit-summary", Self.hours + "&kind=building")
        #expect(rooms["zones.0.zone"] == "house" && rooms["zones.1"] == nil)
    }

    @Test("Who sees some buildings counts these, and a device's token counts nothing")
    func rights() async throws {
        let bench = try await filled()
        let issue = bench.bench.issue
        let elsewhere = issue(.analyst, SampleSite.id, [BuildingID("house")], nil, nil, nil)
        let own = try await bench.figures("room-hours", Self.hours, as: elsewhere)
        // Nobody knows in which building positions outside of rooms were counted.
        #expect(own["rooms.0.room"] == "A" && own["rooms.3"] == nil)
        let device = issue(.device, SampleSite.id, [], DeviceID("d1"), nil, nil)
        for path in ["room-hours", "visit-summary"] {
            #expect(try await bench.figures(path, Self.hours, as: device).status == 403)
        }
    }

    @Test(
        "A wrong parameter is named",
        arguments: [
            ("room-hours", "from={0}", 400, "field-missing"),
            ("room-hours", "from={0}&until={90}", 400, "field-out-of-range"),
            ("room-hours", "from={0}&until={2764800}", 400, "field-out-of-range"),
            ("room-hours", "from={0}&until={3600}&each=minute", 400, "field-out-of-range"),
            ("room-hours", "from={0}&until={3600}&floor=nowhere", 404, "floor-unknown"),
            ("room-hours", "from={0}&until={3600}&room=nowhere", 404, "room-unknown"),
            ("visit-summary", "until={0}", 400, "field-missing"),
            ("visit-summary", "from={0}&until={90}&kind=door", 400, "field-out-of-range"),
            ("visit-summary", "from={0}&until={90}&after=x", 400, "cursor-malformed"),
        ])
    func wrong(path: String, query: String, status: Int, code: String) async throws {
        let bench = try await WatchBench()
        let filled = query.replacing(/\{(\d+)\}/) { WatchBench.time(Double($0.1) ?? 0).text }
        let answer = try await bench.figures(path, filled)
        #expect(answer.status == status && answer.code == code, "\(answer.text)")
    }
}
