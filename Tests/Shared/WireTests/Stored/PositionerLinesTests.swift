import Events
import Geometry
import Positioning
import Testing
import Wire

@Suite struct PositionerLinesTests {
    private static let access = Transmitter.wifi(HardwareAddress(value: 0x0062_ECFD_EC50))
    private static let node = Transmitter.node(ScannerID("node-7"))

    private func text(_ line: [UInt8]) -> String { String(decoding: line, as: UTF8.self) }

    @Test("The radio map is one line, with a fingerprint for each survey")
    func radioMap() {
        let map = RadioMap(
            transmitters: [Self.access, Self.node], floors: [FloorID("ground")],
            rooms: [RoomID("hall")], places: [.init(name: "desk", floor: 0)],
            fingerprints: [
                .init(
                    survey: EventID(high: 0, low: 1), point: Point(x: 4, y: 5.25), floor: 0,
                    room: 0, place: 0, walk: 3),
                .init(
                    survey: EventID(high: 0, low: 2), point: Point(x: -1, y: 0), floor: 0,
                    room: -1, place: 0, walk: 0),
            ], readingStart: [0, 2, 2], readingTransmitter: [0, 1], readingRSSI: [-50, -7])
        #expect(
            text(PositionerLines.radioMap(map))
                == #"{"protocol":1,"fingerprints":["#
                + #"{"floor":"ground","x":4,"y":5.25,"room":"hall","place":"desk","walk":3,"#
                + #""readings":{"wifi/00:62:ec:fd:ec:50":-50,"node/node-7":-7}},"#
                + #"{"floor":"ground","x":-1,"y":0,"place":"desk","walk":0,"readings":{}}]}"#
                + "\n")
    }

    @Test("A query holds the scan, the state and the seed")
    func query() {
        var scan = RadioScan(
            readings: [RadioReading(transmitter: Self.access, rssi: -62)],
            at: Timestamp(microseconds: 1_795_248_000_000_000))
        let first = text(PositionerLines.query(1, scan, state: .empty, seed: 1))
        #expect(first.hasSuffix(#"{"wifi/00:62:ec:fd:ec:50":-62},"state":null,"seed":"1"}"# + "\n"))
        #expect(first.hasPrefix(#"{"query":1,"at":"2026-"#))
        scan.steps = 4
        scan.headingDegrees = 87
        let state = PositionerState(bytes: Array("a \"b\"\n".utf8))
        let second = text(PositionerLines.query(2, scan, state: state, seed: .max))
        #expect(
            second.hasSuffix(
                #""steps":4,"headingDegrees":87,"state":"a \"b\"\n","seed":"18446744073709551615"}"#
                    + "\n"))
        #expect(second.split(separator: "\n").count == 1)
    }

    @Test("An answer may leave out values that can be computed, and may have more members")
    func answers() throws {
        let lost = try PositionerLines.answer(Array(#"{"query":3}"#.utf8))
        #expect(lost.query == 3 && lost.estimate == .lost && lost.state == .empty)
        let full = try PositionerLines.answer(
            Array(
                #"""
                {"query": 4, "state": "s", "new": 1, "estimate": {"floor": "g", "x": 1, "y": 2.5,
                "radius68": 2, "radius95": 9, "room": "a", "uncertain": true,
                "covariance": [4, -1, 1],
                "rooms": [{"id": "b", "probability": 0.25}, {"id": "a", "probability": 0.5}]}}
                """#.utf8))
        #expect(full.state == PositionerState(bytes: Array("s".utf8)))
        #expect(full.estimate.state == .uncertain)
        let place = try #require(full.estimate.place)
        #expect(place.room == RoomID("a") && place.radius95 == 9)
        #expect(place.covariance == .init(xx: 4, xy: -1, yy: 1))
        #expect(full.estimate.rooms.map(\.id) == [RoomID("a"), RoomID("b")])
    }

    @Test(
        "A malformed answer is refused with the field's name",
        arguments: [
            ("3", ""), (#"{"estimate":null}"#, "query"), (#"{"query":-1}"#, "query"),
            (#"{"query":1,"estimate":{"x":1,"y":2,"radius68":1}}"#, "floor"),
            (#"{"query":1,"estimate":{"floor":"g","x":1,"y":2}}"#, "radius68"),
            (#"{"query":1,"estimate":{"floor":"g","x":1e9,"y":2,"radius68":1}}"#, "x"),
            (
                #"{"query":1,"estimate":{"floor":"g","x":1,"y":2,"radius68":3,"radius95":2}}"#,
                "radius95"
            ),
            (
                #"{"query":1,"estimate":{"floor":"g","x":1,"y":2,"radius68":3,"#
                    + #""covariance":[1,2,1]}}"#,
                "covariance"
            ),
        ])
    func faults(line: String, field: String) {
        let fault = #expect(throws: WireFault.self) {
            try PositionerLines.answer(Array(line.utf8))
        }
        #expect(fault?.path == field)
        #expect(throws: WireFault.self) { try PositionerLines.readiness(Array(line.utf8)) }
    }
}
