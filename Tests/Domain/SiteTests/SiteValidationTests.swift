import Events
import Geometry
import Site
import Testing

@Suite struct SiteValidationTests {
    private func codes(_ change: (inout SiteDocument) -> Void) -> [SiteFault.Code] {
        var document = smallSite()
        change(&document)
        return SiteValidation.faults(in: document).map(\.code)
    }

    @Test("A sound document has no faults")
    func sound() {
        #expect(codes { _ in } == [])
        #expect(codes { $0.rooms[0].outline = [] } == [])
    }

    @Test("Identifiers must be well formed and unique")
    func identifiers() {
        #expect(codes { $0.buildings.append($0.buildings[0]) } == [.duplicateIdentifier])
        #expect(codes { $0.rooms.append($0.rooms[0]) } == [.duplicateIdentifier])
        #expect(codes { $0.locations.append($0.locations[1]) } == [.duplicateIdentifier])
        #expect(
            codes {
                $0.locations[0].id = LocationID("the door")
                $0.locations[0].room = nil
            } == [.malformedIdentifier])
        #expect(codes { $0.rooms[0].id = RoomID("") }.first == .malformedIdentifier)
    }

    @Test("References must name existing records")
    func references() {
        #expect(codes { $0.floors[1].building = BuildingID("x") } == [.unknownBuilding])
        #expect(codes { $0.rooms[3].floor = FloorID("x") } == [.unknownFloor])
        #expect(codes { $0.locations[1].floor = FloorID("x") } == [.unknownFloor])
        #expect(codes { $0.locations[0].room = RoomID("x") } == [.unknownRoom])
        #expect(codes { $0.locations[0].floor = FloorID("bush-1") } == [.roomOnOtherFloor])
    }

    @Test("A building has each ordinal once")
    func ordinals() {
        #expect(codes { $0.floors[1].ordinal = 0 } == [.duplicateOrdinal])
        #expect(codes { $0.floors[1].ordinal = 9_999 } == [.ordinalOutOfRange])
    }

    @Test("Outlines have corners, within the frame, and do not cross themselves")
    func outlines() {
        #expect(codes { $0.rooms[0].outline = [[0, 0], [1, 0]] } == [.tooFewCorners])
        #expect(
            codes { $0.rooms[0].outline = [[0, 0], [2, 2], [2, 0], [0, 2]] }
                == [.outlineCrossesItself])
        for wrong in [Double.nan, .infinity, -.infinity, 1e6] {
            #expect(
                codes { $0.rooms[0].outline = [[0, 0], [1, 0], [1, wrong]] }
                    == [.coordinateOutOfRange])
            #expect(codes { $0.locations[0].point.x = wrong } == [.coordinateOutOfRange])
        }
        let many = Ring(
            (0...SiteLimits.cornersPerRoom).map { [Double($0), Double($0 % 2)] })
        #expect(codes { $0.rooms[0].outline = many } == [.tooManyCorners])
    }

    @Test("The origin is on the Earth and not near the poles")
    func origin() {
        #expect(codes { $0.originLatitude = 90 } == [.originOutOfRange])
        #expect(codes { $0.originLongitude = .nan } == [.originOutOfRange])
        #expect(codes { $0.bearingDegrees = 361 } == [.originOutOfRange])
    }

    @Test("Control characters are those of Unicode, anywhere in a text")
    func controlCharacters() throws {
        for value in (0...0xD7FF as ClosedRange<UInt32>) {
            let scalar = try #require(Unicode.Scalar(value))
            let isControl = scalar.properties.generalCategory == .control
            guard hasControlCharacter("é\(scalar)\u{C2}x") != isControl else { continue }
            Issue.record("U+\(String(value, radix: 16))")
        }
        #expect(!hasControlCharacter("") && !hasControlCharacter("Ystafell Â 😀"))
    }

    @Test("A language tag is letters and digits in parts of one to eight, the first letters only")
    func languageTags() {
        for tag in ["cy", "de-CH", "zh-Hant-TW", "en-x-1", "abcdefgh", "sl-rozaj-1994"] {
            #expect(isLanguageTag(tag), "\(tag)")
        }
        for tag in [
            "", "c", "-", "cy-", "-cy", "cy--x", "c1", "12", "abcdefghi", "de-CHabcdefg", "ü", "dé",
        ]
            + [String(repeating: "de-", count: 11) + "deu"]
        {
            #expect(!isLanguageTag(tag), "\(tag)")
        }
    }

    @Test("Texts are short and without control characters")
    func texts() {
        #expect(codes { $0.name = "a\u{0}b" } == [.controlCharacter])
        #expect(codes { $0.rooms[0].name = "line\nbreak" } == [.controlCharacter])
        #expect(codes { $0.floors[0].level = String(repeating: "x", count: 401) } == [.textTooLong])
        #expect(codes { $0.rooms[0].name = "Café 東京 🚪" } == [])
    }

    @Test("Limits are checked, and no more than a hundred faults are listed")
    func limits() {
        let tooMany = codes { document in
            let room = document.rooms[0]
            document.rooms = Array(repeating: room, count: RoomRecord.kind.most + 1)
        }
        #expect(tooMany == [.tooMany])
        // A locator computes the way from each scanner to thousands of cells.
        func scanners(_ count: Int) -> [SiteFault.Code] {
            codes { document in
                document.scanners = (0..<count).map {
                    SiteScanner(
                        id: ScannerID("node-\($0)"), floor: document.floors[0].id,
                        point: Point(x: 1, y: 1))
                }
            }
        }
        #expect(scanners(1_000) == [])
        #expect(scanners(1_001) == [.tooMany])
        let corners = codes { document in
            document.rooms[0].outline = Ring(
                (0..<2_000).map { [Double($0), Double($0 % 2)] })
            document.rooms = Array(repeating: document.rooms[0], count: 251)
        }
        #expect(corners == [.tooMany])
        let many = codes { document in
            let room = document.rooms[0]
            document.rooms += Array(repeating: room, count: 500)
        }
        #expect(many.count == SiteLimits.faultsReported)
    }

    @Test("Each wrong record has a first fault, however many there are")
    func firstFaults() {
        var document = smallSite()
        #expect(SiteValidation.firstFaults(in: document) == [])
        for number in 0..<300 {
            var room = document.rooms[0]
            (room.id, room.name) = (RoomID("wrong-\(number)"), "a\u{0}b")
            (room.kind, room.floor) = ("c\u{0}d", FloorID("nowhere"))
            document.rooms.append(room)
        }
        let faults = SiteValidation.firstFaults(in: document)
        #expect(faults.map(\.subject) == (0..<300).map { "room wrong-\($0)" })
        #expect(faults.allSatisfy { $0.code == .controlCharacter })
    }
}
