import Events
import Geometry
import Site
import Testing

/// Each document has one common mistake.
@Suite("DetailReview") struct DetailReviewTests {
    private static let floor = FloorID("0")

    /// Two rooms side by side, each 4 m by 4 m, and a door between them.
    private static func site(_ change: (inout SiteDocument) -> Void = { _ in }) -> SiteDocument {
        func room(_ id: String, _ x: Double) -> RoomRecord {
            RoomRecord(
                id: RoomID(id), floor: floor, name: id, kind: "room",
                outline: [[x, 0], [x + 4, 0], [x + 4, 4], [x, 4]])
        }
        func stop(_ room: String?) -> ConnectionStop {
            ConnectionStop(
                floor: room == nil ? nil : floor, room: room.map { RoomID($0) },
                point: [room == nil ? 0 : 4, 2])
        }
        var document = SiteDocument(
            name: "S", originLatitude: 0, originLongitude: 0, bearingDegrees: 0,
            buildings: [
                BuildingRecord(id: BuildingID("b"), name: "B", timeZone: "Europe/London")
            ],
            floors: [FloorRecord(id: floor, building: BuildingID("b"), ordinal: 0, level: "0")],
            rooms: [room("foyer", 0), room("shop", 4)],
            connections: [
                ConnectionRecord(
                    id: ConnectionID("door"), kind: .door, stops: [stop("foyer"), stop("shop")]),
                ConnectionRecord(
                    id: ConnectionID("front"), kind: .door,
                    stops: [
                        ConnectionStop(floor: floor, room: RoomID("foyer"), point: [0, 2]),
                        stop(nil),
                    ]),
            ])
        change(&document)
        return document
    }

    private static func found(
        _ document: SiteDocument, isTimeZone: (String) -> Bool = looksLikeTimeZone
    ) -> [String] {
        SiteReview(document, isTimeZone: isTimeZone).findings.map { finding in
            ([finding.code.rawValue] + finding.subjects.map(\.id)).joined(separator: " ")
        }
    }

    @Test("A good site has no findings")
    func good() { #expect(Self.found(Self.site()) == []) }

    @Test("A fact that does not fit its connection is found, with the kinds that it fits")
    func unfittingFact() {
        let document = Self.site { $0.connections[1].handrail = .both }
        #expect(Self.found(document) == ["fact-unfitting front"])
        let text = SiteReview(document).findings.first?.text
        #expect(text?.contains("no fact of the kind door, but of walk, stairs") == true)
    }

    @Test("A door in the middle of another room is away from both of its own")
    func door() {
        let document = Self.site { document in
            for stop in document.connections[0].stops.indices {
                document.connections[0].stops[stop].point.x = 20
            }
        }
        #expect(
            Self.found(document) == ["away-from-room door foyer", "away-from-room door shop"])
    }

    @Test("Hours that can't be parsed are findings, of rooms, connections and entries")
    func hours() {
        let document = Self.site { document in
            document.rooms[0].openingHours = "Mo-Fr 9 to 5"
            document.connections[0].openingHours = "always"
            document.directory = [
                DirectoryEntry(
                    id: DirectoryID("cafe"), kind: "cafe", name: "Café",
                    places: [.room(RoomID("shop"))], openingHours: "9-5")
            ]
        }
        #expect(
            Self.found(document) == [
                "hours-unreadable foyer", "hours-unreadable door", "hours-unreadable cafe",
            ])
    }

    @Test("A wrong time zone is a finding, by its form or by a list of zones")
    func zone() {
        let document = Self.site { $0.buildings[0].timeZone = "London" }
        #expect(Self.found(document) == ["time-zone-unknown b"])
        let misspelt = Self.site { $0.buildings[0].timeZone = "Europe/Lodnon" }
        #expect(Self.found(misspelt) == [])
        #expect(
            Self.found(misspelt) { $0 == "Europe/London" } == ["time-zone-unknown b"])
        #expect(SiteReview(misspelt, isTimeZone: { $0 == "Europe/London" }).hasErrors)
        for name in ["Europe/London", "Etc/UTC", "UTC", "America/Argentina/Buenos_Aires"] {
            #expect(looksLikeTimeZone(name))
        }
    }

    @Test("Three points of a plan always fit, even if one of them is wrong")
    func plan() {
        func plan(_ pairs: [(Double, Double, Double, Double)]) -> SiteDocument {
            Self.site { document in
                document.floorPlans = [
                    FloorPlanRecord(
                        id: FloorPlanID("plan"), floor: Self.floor,
                        image: MediaReference(
                            hash: String(repeating: "a", count: 64), type: "image/png", bytes: 10),
                        widthPixels: 1_000, heightPixels: 1_000,
                        alignment: .pairs(
                            pairs.map { PixelPair(column: $0.0, row: $0.1, point: [$0.2, $0.3]) }))
                ]
            }
        }
        let good = [(0.0, 0.0, 0.0, 40.0), (1_000, 0, 40, 40), (0, 1_000, 0, 0)]
        #expect(Self.found(plan(good)) == [])
        let wrong = [(0.0, 0.0, 0.0, 40.0), (1_000, 0, 60, 40), (0, 1_000, 0, 0)]
        #expect(Self.found(plan(wrong)) == ["plan-points-disagree plan"])
        let mirrored = [(0.0, 0.0, 0.0, 0.0), (1_000, 0, 40, 0), (0, 1_000, 0, 40)]
        #expect(Self.found(plan(mirrored)) == ["plan-points-disagree plan"])
        let fourth = good + [(1_000, 1_000, 70, 0)]
        #expect(Self.found(plan(fourth)) == ["plan-points-disagree plan"])
    }

    @Test("Members that no site has are findings")
    func members() {
        let review = SiteReview(Self.site(), unknownMembers: ["rooms[0].resticted"])
        #expect(review.findings.map(\.code) == [.unknownMember])
        #expect(review.findings[0].text.contains("rooms[0].resticted"))
    }

    private static let uuid = EventID(high: 1, low: 1)

    private static func beacon(
        _ id: String, minor: Int, at point: Point = [1, 1],
        _ change: (inout SiteBeacon) -> Void = { _ in }
    ) -> SiteBeacon {
        var beacon = SiteBeacon(
            id: BeaconID(id), floor: floor, point: point, uuid: uuid, major: 1, minor: minor)
        change(&beacon)
        return beacon
    }

    @Test("Beacons with one name are findings, and those with one address")
    func alike() {
        let address = HardwareAddress(value: 1)
        let document = Self.site { document in
            document.beacons = [
                Self.beacon("a", minor: 1), Self.beacon("b", minor: 2), Self.beacon("c", minor: 1),
                Self.beacon("d", minor: 3) { ($0.uuid, $0.address) = (nil, address) },
                Self.beacon("e", minor: 3) { $0.address = address },
                Self.beacon("f", minor: 4) { ($0.uuid, $0.address) = (nil, address) },
            ]
        }
        #expect(Self.found(document) == ["beacons-alike a c", "beacons-alike d e f"])
        // The address of a beacon with a UUID counts, too, as in the table of beacons.
        let first = Self.site { document in
            document.beacons = [
                Self.beacon("e", minor: 3) { $0.address = address },
                Self.beacon("d", minor: 3) { ($0.uuid, $0.address) = (nil, address) },
            ]
        }
        #expect(Self.found(first) == ["beacons-alike e d"])
        let reading = BluetoothReading(address: address, rssi: -60)
        #expect(BeaconTable(first).beacon(reading) == 0)
        let twice = Self.site { document in
            document.beacons = ["a", "b"].map { id in
                Self.beacon(id, minor: 1) { $0.address = address }
            }
        }
        #expect(Self.found(twice) == ["beacons-alike a b"])
    }

    @Test("A finding of many beacons has their number, and lists a hundred of them")
    func many() throws {
        let numbers = 1...150
        let alike = Self.site { document in
            document.beacons = numbers.map { Self.beacon("b\($0)", minor: 1) }
        }
        let far = Self.site { document in
            document.beacons = numbers.map { Self.beacon("b\($0)", minor: $0, at: [110, 2]) }
        }
        for (document, code) in [
            (alike, ReviewFinding.Code.beaconsAlike), (far, .beaconOutsideSite),
        ] {
            let findings = SiteReview(document).findings
            #expect(findings.map(\.code) == [code])
            let finding = try #require(findings.first)
            #expect(finding.subjects.map(\.id) == (1...100).map { "b\($0)" })
            #expect(finding.text.hasPrefix("150 beacons"), "\(finding.text)")
        }
    }

    @Test("Two bytes for the battery of one UUID are a finding")
    func batteries() {
        let document = Self.site { document in
            document.beacons = [
                Self.beacon("a", minor: 1), Self.beacon("b", minor: 2) { $0.batteryByte = .high },
                Self.beacon("c", minor: 3) { $0.batteryByte = .low },
                Self.beacon("d", minor: 4) { $0.batteryByte = .high },
            ]
        }
        #expect(Self.found(document) == ["battery-bytes-differ b c"])
    }

    @Test("A ring of fewer than three beacons, and one without a group, are findings")
    func rings() {
        func ring(_ group: String?, _ count: Int) -> [SiteBeacon] {
            (0..<count).map { number in
                Self.beacon(
                    "\(group ?? "none")-\(number)", minor: (group?.count ?? 0) * 10 + number
                ) {
                    $0.group = group.map { BeaconGroupID($0) }
                    $0.closesRing = number == count - 1
                }
            }
        }
        let document = Self.site { document in
            document.beacons = ring("one", 1) + ring("pair", 2) + ring("three", 3) + ring(nil, 1)
        }
        #expect(
            Self.found(document) == [
                "ring-too-small one-0", "ring-too-small pair-1", "ring-too-small none-0",
            ])
    }

    @Test(
        "A beacon or scanner more than 100 m outside of the site is a finding, at the street none")
    func outside() {
        let document = Self.site { document in
            document.beacons = [
                Self.beacon("street", minor: 1, at: [-90, 2]),
                Self.beacon("far", minor: 2, at: [110, 2]),
            ]
            document.scanners = [("porch", -90.0), ("lost", 99_999)].map { id, x in
                SiteScanner(id: ScannerID(id), floor: Self.floor, point: Point(x: x, y: 2))
            }
        }
        #expect(
            Self.found(document) == ["beacon-outside-site far", "scanner-outside-site lost"])
        // Nobody knows how large a site without any outline is.
        let bare = SiteDocument(
            name: "S", originLatitude: 0, originLongitude: 0, bearingDegrees: 0,
            buildings: document.buildings, floors: document.floors, beacons: document.beacons)
        #expect(!Self.found(bare).contains { $0.hasPrefix("beacon") })
    }
}
