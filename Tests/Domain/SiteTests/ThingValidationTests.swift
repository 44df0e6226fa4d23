import Events
import Geometry
import Site
import Testing

/// Plans, zones, beacons, contents, the directory and discarded surveys.
@Suite struct ThingValidationTests {
    private static let floor = FloorID("bush-0")
    private static let media = MediaReference(
        hash: String(repeating: "0f", count: 32), type: "image/png", bytes: 9)

    private static let sound: SiteDocument = {
        var site = smallSite()
        site.floorPlans = [
            FloorPlanRecord(
                id: FloorPlanID("plan"), floor: floor, image: media, widthPixels: 40,
                heightPixels: 20,
                alignment: .placed(centre: [0, 0], metresPerPixel: 0.1, bearingDegrees: 0))
        ]
        site.zones = [
            ZoneRecord(
                id: ZoneID("show"), name: "Show", kind: "exhibition",
                rooms: [RoomID("bush-0-C")])
        ]
        site.beacons = [
            SiteBeacon(
                id: BeaconID("b"), floor: floor, point: [1, 1],
                address: HardwareAddress(value: 1))
        ]
        site.contents = [
            ContentRecord(
                id: ContentID("c"), place: .zone(ZoneID("show")), title: "Show",
                text: "One line.\n\tAnd another.", texts: Translations(["cy": "Sioe.\r\nDau."]),
                audio: [AudioRecord(level: 1, language: "cy", media: media)])
        ]
        site.directory = [
            DirectoryEntry(
                id: DirectoryID("d"), kind: "office", name: "Desk",
                places: [.room(RoomID("bush-0-C")), .floor(floor)],
                website: "https://example.org"),
            DirectoryEntry(
                id: DirectoryID("e"), kind: "service", name: "Help", parent: DirectoryID("d")),
        ]
        site.surveyDiscards = [
            SurveyDiscard(
                floor: FloorID("gone"), outline: [[0, 0], [1, 0], [1, 1]], locations: [],
                before: Timestamp(milliseconds: 0))
        ]
        return site
    }()

    private func codes(_ change: (inout SiteDocument) -> Void) -> [SiteFault.Code] {
        var site = Self.sound
        change(&site)
        return SiteValidation.faults(in: site).map(\.code)
    }

    @Test("A site with one of everything has no faults")
    func everything() { #expect(codes { _ in } == []) }

    @Test("A plan is on a floor, has a picture and a position")
    func plans() {
        #expect(codes { $0.floorPlans[0].floor = FloorID("x") } == [.unknownFloor])
        #expect(codes { $0.floorPlans[0].alignment = .corners([[0, 0]]) } == [.planMisaligned])
        #expect(codes { $0.floorPlans[0].image.hash = "0F" } == [.malformedHash])
        #expect(codes { $0.floorPlans[0].image.type = "png" } == [.malformedMediaType])
        #expect(codes { $0.floorPlans[0].image.bytes = 0 } == [.factOutOfRange])
    }

    @Test("A zone has an outline or rooms")
    func zones() {
        #expect(codes { $0.zones[0].rooms = [] } == [.emptyZone])
        #expect(codes { $0.zones[0].rooms = [RoomID("x")] } == [.unknownRoom])
        #expect(codes { $0.zones[0].floor = FloorID("x") } == [.unknownFloor])
        #expect(codes { $0.zones.append($0.zones[0]) } == [.duplicateIdentifier])
    }

    @Test("A beacon has an identifier")
    func beacons() {
        #expect(codes { $0.beacons[0].address = nil } == [.beaconUnidentified])
        #expect(codes { $0.beacons[0].point.x = .infinity } == [.coordinateOutOfRange])
    }

    @Test("A beacon's group, battery, filter and thresholds are within their limits")
    func beaconFacts() {
        #expect(codes { $0.beacons[0].group = BeaconGroupID("a b") } == [.malformedIdentifier])
        #expect(codes { $0.beacons[0].group = BeaconGroupID("hall") } == [])
        for (major, found) in [(255, []), (256, [SiteFault.Code.factOutOfRange])] {
            #expect(
                codes {
                    $0.beacons[0].batteryByte = .low
                    $0.beacons[0].major = major
                } == found)
        }
        #expect(codes { $0.beacons[0].farthestMetres = 0 } == [.factOutOfRange])
        #expect(codes { $0.beacons[0].proximity.nearDecibels = .nan }.contains(.factOutOfRange))
        #expect(codes { $0.beacons[0].proximity.nearDecibels = 13 } == [])
        #expect(codes { $0.beacons[0].proximity.nearDecibels = 14 } == [.factOutOfRange])
    }

    @Test("Contents are at known places, in valid languages, and of limited length")
    func contents() {
        #expect(codes { $0.contents[0].place = .room(RoomID("x")) } == [.unknownPlace])
        #expect(codes { $0.contents[0].text = "\u{7}" } == [.controlCharacter])
        let long = String(repeating: "x", count: SiteLimits.contentBytes + 1)
        #expect(codes { $0.contents[0].texts = Translations(["de": long]) } == [.textTooLong])
        #expect(codes { $0.contents[0].audio[0].language = "welsh!" } == [.malformedLanguage])
        #expect(
            codes {
                $0.contents[0].videos = Array(
                    repeating: Self.media, count: SiteLimits.mediaPerContent + 1)
            } == [.tooMany])
    }

    @Test("A directory entry is at known places, below another entry, and links to the web only")
    func directory() {
        #expect(codes { $0.directory[0].places = [.location(LocationID("x"))] } == [.unknownPlace])
        #expect(codes { $0.directory[1].parent = DirectoryID("x") } == [.unknownParent])
        #expect(codes { $0.directory[1].parent = DirectoryID("e") } == [.unknownParent])
        #expect(codes { $0.directory[0].website = "javascript:alert(1)" } == [.malformedWebsite])
    }

    @Test("A room's holes are within its outline")
    func holes() {
        #expect(
            codes { $0.rooms[0].holes = [[[900, 900], [901, 900], [901, 901]]] }
                == [.holeOutsideOutline])
        #expect(codes { $0.rooms[0].holes = [[[0, 0], [1, 1]]] }.contains(.tooFewCorners))
    }
}
