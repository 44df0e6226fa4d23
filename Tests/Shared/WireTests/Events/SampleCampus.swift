import Events
import Geometry
import Site

extension SampleEvents {
    /// A site with one record of every kind of the first version.
    static let campus: SitePublished = {
        var campus = connectedSite
        let plan = MediaReference(
            hash: String(repeating: "0a", count: 32), type: "image/png", bytes: 81_920)
        let room = PlaceReference.room(RoomID("S6.01"))
        campus.document.outline = [[-20, -20], [60, -20], [60, 40]]
        campus.document.buildings[0].outline = [[0, 0], [30, 0], [30, 20], [0, 20]]
        campus.document.buildings[0].address = "30 Aldwych, London"
        campus.document.floors[1].outline = [[0, 0], [30, 0], [30, 20], [0, 20]]
        campus.document.floorPlans = [
            FloorPlanRecord(
                id: FloorPlanID("south-6-plan"), floor: FloorID("south-6"), image: plan,
                widthPixels: 1_200, heightPixels: 800,
                alignment: .pairs([
                    PixelPair(column: 10, row: 10, point: [0, 20]),
                    PixelPair(column: 1_190, row: 10, point: [30, 20]),
                    PixelPair(column: 10, row: 790, point: [0, 0]),
                ])),
            FloorPlanRecord(
                id: FloorPlanID("south-0-plan"), floor: FloorID("south-0"), image: plan,
                widthPixels: 1_200, heightPixels: 800,
                alignment: .placed(centre: [15, 10], metresPerPixel: 0.025, bearingDegrees: 12.5)),
            FloorPlanRecord(
                id: FloorPlanID("south-0-photo"), floor: FloorID("south-0"), image: plan,
                widthPixels: 1_200, heightPixels: 800, alignment: .corners([[0, 20], [30, 0]])),
        ]
        campus.document.rooms = [
            RoomRecord(
                id: RoomID("S6.01"), floor: FloorID("south-6"), name: "Lab 6.01",
                names: Translations(["cy": "Labordy 6.01"]), kind: "room",
                outline: [[0, 0], [10, 0], [10, 8], [0, 8]],
                holes: [[[4, 4], [5, 4], [5, 5]]], accessible: .yes, isRestricted: true,
                openingHours: "Mo-Fr 09:00-17:00")
        ]
        campus.document.locations = [
            LocationRecord(
                id: LocationID("desk"), name: "Help desk",
                names: Translations(["cy": "Desg gymorth"]), floor: FloorID("south-6"),
                room: RoomID("S6.01"), point: [2, 2])
        ]
        campus.document.zones = [
            ZoneRecord(
                id: ZoneID("labs"), name: "Laboratories",
                names: Translations(["cy": "Labordai"]), kind: "exhibition",
                floor: FloorID("south-6"), outline: [[0, 0], [12, 0], [12, 8]],
                rooms: [RoomID("S6.01")])
        ]
        campus.document.beacons = [
            SiteBeacon(
                id: BeaconID("beacon-1"), name: "By the door", floor: FloorID("south-6"),
                point: [1, 7.5],
                uuid: EventID(high: 0xf782_6da6_4fa2_4e98, low: 0x8024_bc5b_71e0_893e),
                major: 80, minor: 3, address: HardwareAddress(value: 0x0062_ecfd_ec51),
                txPower: -59)
        ]
        campus.document.contents = [
            ContentRecord(
                id: ContentID("lab-story"), place: room, title: "The lab",
                titles: Translations(["cy": "Y labordy"]), text: "What is done here.\nAnd why.",
                texts: Translations(["cy": "Beth a wneir yma."]),
                audio: [AudioRecord(level: 1, language: "en", media: plan)],
                pictures: [
                    PictureRecord(
                        media: plan, caption: "A bench",
                        captions: Translations(["cy": "Mainc"]))
                ], videos: [plan])
        ]
        campus.document.directory = [
            DirectoryEntry(
                id: DirectoryID("informatics"), kind: "department", name: "Informatics",
                names: Translations(["cy": "Gwybodeg"]),
                places: [
                    room, .zone(ZoneID("labs")), .building(BuildingID("bush-house")),
                    .floor(FloorID("south-6")), .location(LocationID("desk")),
                ], openingHours: "Mo-Fr 09:00-17:00", website: "https://example.org/informatics",
                telephone: "+44 20 0000 0000"),
            DirectoryEntry(
                id: DirectoryID("help-desk"), kind: "service", name: "Help desk",
                parent: DirectoryID("informatics")),
        ]
        campus.document.surveyDiscards = [
            SurveyDiscard(
                floor: FloorID("south-6"), outline: [[0, 0], [10, 0], [10, 8]],
                locations: [LocationID("desk")], before: moment)
        ]
        return campus
    }()
}
