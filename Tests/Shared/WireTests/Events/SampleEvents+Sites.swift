import Events
import Geometry
import Site
import Wire

extension SampleEvents {
    static let connectedSite = SitePublished(
        site: SiteID("bush-house"), version: 4, publishedAt: moment,
        document: SiteDocument(
            name: "Bush House", names: Translations(["cy": "Tŷ Bush"]), originLatitude: 51.5129,
            originLongitude: -0.1167, bearingDegrees: 12.5,
            buildings: [
                BuildingRecord(
                    id: BuildingID("bush-house"), name: "Bush House",
                    names: Translations(["cy": "Tŷ Bush"]), timeZone: "Europe/London")
            ],
            floors: [
                FloorRecord(
                    id: FloorID("south-0"), building: BuildingID("bush-house"), ordinal: 0,
                    level: "G", names: Translations(["en": "Ground floor"]), heightMetres: 0),
                FloorRecord(
                    id: FloorID("south-6"), building: BuildingID("bush-house"), ordinal: 6,
                    level: "6", heightMetres: 21.5),
            ],
            rooms: [
                RoomRecord(
                    id: RoomID("S6.01"), floor: FloorID("south-6"), name: "Lab 6.01",
                    names: Translations(["cy": "Labordy 6.01"]), kind: "room", outline: [])
            ],
            connections: [
                ConnectionRecord(
                    id: ConnectionID("lift-a"), kind: .lift, name: "Lift A",
                    names: Translations(["cy": "Lifft A", "de": "Aufzug A"]),
                    stops: [
                        ConnectionStop(floor: FloorID("south-0"), point: [3, 4]),
                        ConnectionStop(
                            floor: FloorID("south-6"), room: RoomID("S6.01"), point: [3, 4.5]),
                    ], accessible: .yes, widthMetres: 0.9, isAutomatic: true),
                ConnectionRecord(
                    id: ConnectionID("ramp"), kind: .ramp,
                    stops: [
                        ConnectionStop(floor: nil, point: [-5, 0]),
                        ConnectionStop(floor: FloorID("south-0"), point: [0, 0]),
                    ], line: [[-3, 0.5]], isOneWay: true, slope: 0.0625, surface: "asphalt",
                    kerbMetres: 0.03, steps: 0, openingHours: "Mo-Fr 08:00-18:00"),
            ]))

    static let accessPointSite: SitePublished = {
        var site = Self.site
        let address = HardwareAddress(value: 0x0062_ecfd_ec50)
        site.document.accessPoints = AccessPointRules(
            allow: [.network("eduroam"), .prefix(0x0062ec, count: 3)], deny: [.address(address)])
        site.document.accessPointPlaces = [
            AccessPointPlace(address: address, floor: FloorID("south-6"), point: [12.5, -3])
        ]
        return site
    }()

    static let scannerSite: SitePublished = {
        var site = Self.site
        site.document.scanners = [
            SiteScanner(
                id: ScannerID("node-7"), name: "By the door", floor: FloorID("south-6"),
                point: [4, 0.5], heightMetres: 1.75),
            SiteScanner(id: ScannerID("node-8"), floor: FloorID("south-6"), point: [-2, 3]),
        ]
        return site
    }()

    static let beaconSite: SitePublished = {
        var site = Self.site
        site.document.beacons = [
            SiteBeacon(
                id: BeaconID("hall-1"), name: "By the door", floor: FloorID("south-6"),
                point: [1, 7.5],
                uuid: EventID(high: 0xf782_6da6_4fa2_4e98, low: 0x8024_bc5b_71e0_893e),
                major: 1, minor: 3, address: HardwareAddress(value: 0x0062_ecfd_ec51),
                txPower: -59, batteryByte: .high, group: BeaconGroupID("hall"), orderInGroup: 2,
                closesRing: true, isDisabled: true, farthestMetres: 12.5,
                proximity: BeaconProximity(
                    nearDecibels: 2, farDecibels: 18.5, hysteresisDecibels: 1)),
            SiteBeacon(
                id: BeaconID("hall-2"), floor: FloorID("south-6"), point: [4, 0.5],
                address: HardwareAddress(value: 0x0062_ecfd_ec52)),
        ]
        return site
    }()

    static let siteAnnounced = SiteAnnounced(
        site: SiteID("bush-house"), version: 7, publishedAt: moment,
        hash: String(repeating: "0123456789abcdef", count: 4), byteCount: 1_800_001, pieces: 3)

    static let site = SitePublished(
        site: SiteID("bush-house"), version: 3, publishedAt: moment,
        document: SiteDocument(
            name: "Bush House", originLatitude: 51.5129, originLongitude: -0.1167,
            bearingDegrees: 12.5,
            buildings: [
                BuildingRecord(
                    id: BuildingID("bush-house"), name: "Bush House", timeZone: "Europe/London")
            ],
            floors: [
                FloorRecord(
                    id: FloorID("south-6"), building: BuildingID("bush-house"), ordinal: 6,
                    level: "6")
            ],
            rooms: [
                RoomRecord(
                    id: RoomID("S6.01"), floor: FloorID("south-6"), name: "Lab 6.01", kind: "room",
                    outline: [[0, 0], [8, 0], [8, 10.25], [0, 10.25]]),
                RoomRecord(
                    id: RoomID("S6.02"), floor: FloorID("south-6"), name: "", kind: "corridor",
                    outline: []),
            ],
            locations: [
                LocationRecord(
                    id: LocationID("S6.01-door"), floor: FloorID("south-6"), room: RoomID("S6.01"),
                    point: [4, 0.5]),
                LocationRecord(
                    id: LocationID("hall"), floor: FloorID("south-6"), room: nil, point: [-2, 0]),
            ]))
}
