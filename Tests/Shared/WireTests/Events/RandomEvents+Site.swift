import Events
import Geometry
import Site

/// Sites with records of every kind.
extension RandomEvents {
    mutating func site() -> SitePublished {
        SitePublished(
            site: SiteID(name()), version: integer(1...Int.max), publishedAt: time(),
            document: SiteDocument(
                name: text(40), names: names(), originLatitude: number(90),
                originLongitude: number(180),
                bearingDegrees: number(360), outline: outline(),
                buildings: list(3) {
                    BuildingRecord(
                        id: BuildingID($0.name()), name: $0.text(20), names: $0.names(),
                        timeZone: $0.text(10), outline: $0.outline(),
                        address: $0.maybe { $0.text(20) })
                },
                floors: list(4) {
                    FloorRecord(
                        id: FloorID($0.name()), building: BuildingID($0.name()),
                        ordinal: $0.integer(-9...99), level: $0.text(5), names: $0.names(),
                        heightMetres: $0.maybe { $0.number(90) }, outline: $0.outline(),
                        visibility: $0.maybe { Visibility.allCases[$0.integer(0...2)] })
                },
                floorPlans: list(2) { $0.floorPlan() },
                rooms: list(6) {
                    RoomRecord(
                        id: RoomID($0.name()), floor: FloorID($0.name()), name: $0.text(20),
                        names: $0.names(), kind: $0.text(10),
                        outline: $0.outline(), holes: $0.list(2) { $0.outline() },
                        accessible: Accessibility.allCases[$0.integer(0...2)],
                        isRestricted: $0.integer(0...1) == 1,
                        openingHours: $0.maybe { $0.text(20) },
                        visibility: $0.maybe { Visibility.allCases[$0.integer(0...2)] },
                        timetableVisibility: $0.maybe { Visibility.allCases[$0.integer(0...2)] })
                },
                locations: list(6) {
                    LocationRecord(
                        id: LocationID($0.name()), name: $0.maybe { $0.text(20) },
                        names: $0.names(), floor: FloorID($0.name()),
                        room: $0.maybe { RoomID($0.name()) },
                        point: [$0.number(500), $0.number(500)])
                }, connections: list(4) { $0.connection() }, zones: list(3) { $0.zone() },
                beacons: list(3) { $0.beacon() }, scanners: list(3) { $0.scanner() },
                contents: list(3) { $0.content() },
                directory: list(3) { $0.directoryEntry() },
                surveyDiscards: list(2) {
                    SurveyDiscard(
                        floor: FloorID($0.name()), outline: $0.outline(),
                        holes: $0.list(2) { $0.outline() },
                        locations: $0.list(3) { LocationID($0.name()) }, before: $0.time())
                },
                accessPointPlaces: list(2) {
                    AccessPointPlace(
                        address: HardwareAddress(value: $0.random.next()),
                        floor: FloorID($0.name()),
                        point: [$0.number(500), $0.number(500)])
                }))
    }

    private mutating func outline() -> Ring {
        Ring(list(6) { [$0.number(500), $0.number(500)] })
    }

    mutating func media() -> MediaReference {
        let digits = Array("0123456789abcdef")
        let hash = (0..<64).map { _ in digits[integer(0...15)] }
        return MediaReference(
            hash: String(hash), type: "image/" + name(), bytes: integer(1...Int.max))
    }

    mutating func place() -> PlaceReference {
        switch integer(0...4) {
        case 0: .building(BuildingID(name()))
        case 1: .floor(FloorID(name()))
        case 2: .room(RoomID(name()))
        case 3: .location(LocationID(name()))
        default: .zone(ZoneID(name()))
        }
    }

    private mutating func floorPlan() -> FloorPlanRecord {
        let alignment: PlanAlignment =
            switch integer(0...2) {
            case 0:
                .pairs(
                    list(4) {
                        PixelPair(
                            column: $0.number(500), row: $0.number(500),
                            point: [$0.number(500), $0.number(500)])
                    })
            case 1: .corners([[number(500), number(500)], [number(500), number(500)]])
            default:
                .placed(
                    centre: [number(500), number(500)], metresPerPixel: abs(number(1)) + 0.001,
                    bearingDegrees: number(360))
            }
        return FloorPlanRecord(
            id: FloorPlanID(name()), floor: FloorID(name()), image: media(),
            widthPixels: integer(1...9_999), heightPixels: integer(1...9_999), alignment: alignment)
    }

    private mutating func zone() -> ZoneRecord {
        ZoneRecord(
            id: ZoneID(name()), name: text(20), names: names(), kind: text(10),
            floor: maybe { FloorID($0.name()) }, outline: outline(),
            rooms: list(3) { RoomID($0.name()) })
    }

    private mutating func beacon() -> SiteBeacon {
        SiteBeacon(
            id: BeaconID(name()), name: maybe { $0.text(20) }, floor: FloorID(name()),
            point: [number(500), number(500)],
            uuid: maybe { $0.id() },
            major: maybe { $0.integer(0...65_535) }, minor: maybe { $0.integer(0...65_535) },
            address: maybe { HardwareAddress(value: $0.random.next()) },
            txPower: maybe { $0.integer(-128...127) },
            batteryByte: maybe { $0.integer(0...1) == 0 ? .high : .low },
            group: maybe { BeaconGroupID($0.name()) }, orderInGroup: maybe { $0.integer(0...99) },
            closesRing: integer(0...1) == 0, isDisabled: integer(0...1) == 0,
            farthestMetres: maybe { Double($0.integer(1...99)) / 4 },
            proximity: BeaconProximity(
                nearDecibels: maybe { $0.number(9) }, farDecibels: maybe { $0.number(30) },
                hysteresisDecibels: maybe { Double($0.integer(0...9)) / 2 }))
    }

    private mutating func scanner() -> SiteScanner {
        SiteScanner(
            id: ScannerID(name()), name: maybe { $0.text(20) }, floor: FloorID(name()),
            point: [number(500), number(500)], heightMetres: maybe { $0.number(3) })
    }

    private mutating func content() -> ContentRecord {
        ContentRecord(
            id: ContentID(name()), place: place(), title: text(20), titles: names(),
            text: maybe { $0.text(40) }, texts: names(),
            audio: list(2) {
                AudioRecord(
                    level: $0.integer(1...3), language: $0.maybe { $0.text(5) }, media: $0.media())
            },
            pictures: list(2) {
                PictureRecord(
                    media: $0.media(), caption: $0.maybe { $0.text(20) }, captions: $0.names())
            }, videos: list(2) { $0.media() })
    }

    private mutating func directoryEntry() -> DirectoryEntry {
        DirectoryEntry(
            id: DirectoryID(name()), kind: text(10), name: text(20), names: names(),
            parent: maybe { DirectoryID($0.name()) }, places: list(3) { $0.place() },
            openingHours: maybe { $0.text(20) }, website: maybe { $0.text(20) },
            telephone: maybe { $0.text(20) })
    }

    private mutating func names() -> Translations {
        Translations(
            Dictionary(
                list(3) { ($0.name(), $0.text(20)) }, uniquingKeysWith: { first, _ in first }))
    }

    private mutating func stop() -> ConnectionStop {
        ConnectionStop(
            floor: maybe { FloorID($0.name()) }, room: maybe { RoomID($0.name()) },
            point: [number(500), number(500)])
    }

    private mutating func connection() -> ConnectionRecord {
        ConnectionRecord(
            id: ConnectionID(name()), kind: ConnectionRecord.Kind.allCases[integer(0...6)],
            name: maybe { $0.text(20) }, names: names(),
            stops: [stop(), stop()] + list(4) { $0.stop() },
            line: list(3) { [$0.number(500), $0.number(500)] }, isOneWay: integer(0...1) == 1,
            accessible: Accessibility.allCases[integer(0...2)],
            widthMetres: maybe { abs($0.number(5)) + 0.05 }, slope: maybe { $0.number(1) },
            riseMetres: maybe { $0.number(9) }, isOffGround: integer(0...1) == 1,
            surface: maybe { $0.text(10) }, kerbMetres: maybe { abs($0.number(1)) },
            isAutomatic: maybe { $0.integer(0...1) == 1 }, steps: maybe { $0.integer(0...50) },
            leads: maybe { Ascent.allCases[$0.integer(0...1)] },
            handrail: maybe { Handrail.allCases[$0.integer(0...4)] },
            doorKind: maybe { DoorKind.allCases[$0.integer(0...3)] },
            opens: maybe { DoorSwing.allCases[$0.integer(0...2)] },
            isGlass: maybe { $0.integer(0...1) == 1 },
            hasTactilePaving: maybe { $0.integer(0...1) == 1 },
            openingHours: maybe { $0.text(20) })
    }
}
