import Events
import Geometry
import Privacy
import Site
import Testing

@testable import Wire

@Suite("Shared positions as JSON") struct SharedPositionWireTests {
    private static let now = Timestamp(milliseconds: 1_795_305_600_000)

    private func read(_ text: String) throws -> SharedPositionSubmission {
        try SharedPositionSubmission(json: Array(text.utf8))
    }

    @Test("A submission has the age by the sender's clock, and the reader by the session")
    func submission() throws {
        let read = try read(
            #"{"secret": "s", "state": "located", "floor": "f", "latitude": 51.5, "#
                + #""longitude": -0.1, "radiusMetres": 4.5, "ageSeconds": 12.5, "area": "staff"}"#)
        let position = read.position(at: Self.now, by: .staff)
        #expect(read.secret == "s")
        #expect(Self.now - position.at == 12_500_000)
        #expect(position.place == GeographicPoint(latitude: 51.5, longitude: -0.1))
        #expect(position.radiusMetres == 4.5 && position.isInStaffArea)
        #expect(position.sharer == .staff && position.floor == FloorID("f"))
    }

    @Test(
        "A malformed submission is refused",
        arguments: [
            "[]", "{}", #"{"secret": "s"}"#, #"{"secret": "s", "state": "here"}"#,
            #"{"secret": "s", "state": "located"}"#,
            #"{"secret": "s", "state": "located", "latitude": 51}"#,
            #"{"secret": "s", "state": "located", "latitude": 91, "longitude": 0}"#,
            #"{"secret": "s", "state": "lost", "floor": "a b"}"#,
            #"{"secret": "s", "state": "lost", "radiusMetres": -1}"#,
            #"{"secret": "s", "state": "lost", "ageSeconds": 3601}"#,
            #"{"secret": "s", "state": "lost", "more": 1}"#,
            #"{"secret": 5, "state": "lost"}"#,
        ])
    func malformed(_ text: String) {
        #expect(throws: WireFault.self) { _ = try read(text) }
    }

    @Test("The stored form gives the same position again")
    func stored() throws {
        var position = SharedPosition(
            at: Self.now, state: .uncertain, floor: FloorID("f"),
            place: GeographicPoint(latitude: 51.5, longitude: -0.125), radiusMetres: 7.25,
            isInStaffArea: true, sharer: .editor)
        #expect(try SharedPosition(stored: position.stored) == position)
        position = SharedPosition(at: Self.now, state: .lost)
        #expect(try SharedPosition(stored: position.stored) == position)
    }

    @Test("A page reads the answer to who looks")
    func page() throws {
        let strangers = try #require(
            try? SiteIndex(
                SiteDocument(
                    name: "S", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
                    buildings: [], floors: [], rooms: [], locations: [])))
        let shared = SharedPosition(
            at: Self.now.advanced(byMicroseconds: -65_000_000), state: .located,
            place: GeographicPoint(latitude: 51.5, longitude: -0.125), radiusMetres: 7)
        let shown = ShownPosition(shared, strangers: strangers, sharers: strangers)
        let until = Self.now.advanced(byMicroseconds: 600_000_000)
        let answer = LookedAtShare(until: until, shown: shown).json(at: Self.now)
        let read = try #require(ShownShare(json: answer))
        #expect(read.secondsLeft == 600 && read.ageSeconds == 65 && read.state == "located")
        #expect(read.place == shared.place && read.radiusMetres == 7 && read.floor == nil)
        #expect(!read.isInStaffArea)
        let empty = LookedAtShare(until: until, shown: nil).json(at: Self.now)
        #expect(ShownShare(json: empty)?.ageSeconds == nil)
        #expect(ShownShare(json: Array("{}".utf8)) == nil)
    }
}
